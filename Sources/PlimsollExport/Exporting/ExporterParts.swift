import Logging
import PlimsollDomain

/// What the lanes have in common.
struct ExporterParts: Sendable {
    let press: Press
    let board: StateBoard
    let logger: Logger
    let now: @Sendable () -> Instant

    /// After a renewal was ordered or could not be, how long until it is ordered again.
    static let renewalRetryInterval: Duration = .seconds(60)
}
