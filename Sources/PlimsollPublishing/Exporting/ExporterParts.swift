import Logging
import PlimsollDomain

/// What the lanes have in common.
struct ExporterParts: Sendable {
    let press: Press
    let sinks: [any Sink]
    let logPress: LogPress?
    let board: StateBoard
    let logger: Logger
    let clocks: @Sendable () -> ClockReading

    /// After a renewal was ordered, how long until the next may be: a clock that is wrong must not
    /// fill the log.
    static let renewalInterval: Duration = .seconds(5)
    /// The same after one that could not be ordered.
    static let renewalRetryInterval: Duration = .seconds(60)
}
