package import PlimsollDomain

/// What two clocks showed at one moment.
package struct ClockReading: Sendable {
    /// What people and documents go by.
    package let wall: Instant
    /// What waiting goes by: it counts from the machine's start, and nobody sets it.
    package let uptime: ContinuousClock.Instant

    package init(wall: Instant, uptime: ContinuousClock.Instant) {
        self.wall = wall
        self.uptime = uptime
    }
}

/// Tells a wall clock that runs from one that was set.
///
/// Documents are dated with it and expire by it. Nobody sets the other clock: where the two have
/// gone different ways since the last look, somebody set the first, for better or worse, and for a
/// while nothing is done because of the time alone.
struct ClockWatch: Sendable {
    /// How far the two may go apart between two looks: more than a clock that is slewed does.
    static let tolerance: Duration = .seconds(5)
    /// How long a clock that was set is doubted; a renewal has days of room.
    static let probation: Duration = .seconds(600)

    private var last: ClockReading?
    private var doubtedUntil: ContinuousClock.Instant?

    /// Whether the wall clock may be relied on, having been read now.
    mutating func trusts(_ now: ClockReading) -> Bool {
        if let last {
            let step = now.wall.millisecondsSince1970 - last.wall.millisecondsSince1970
            let difference = Duration.milliseconds(step) - (now.uptime - last.uptime)
            if difference.magnitude > Self.tolerance {
                doubtedUntil = now.uptime + Self.probation
            }
        }
        last = now
        if let doubtedUntil, now.uptime < doubtedUntil { return false }
        doubtedUntil = nil
        return true
    }
}

extension Duration {
    fileprivate var magnitude: Duration { self < .zero ? .zero - self : self }
}
