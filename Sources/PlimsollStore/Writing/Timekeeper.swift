package import PlimsollDomain
import Synchronization

/// What time it is, for whatever is decided and recorded: one notion for the whole process.
///
/// Two wall clocks say it, the machine's and the database's, and anybody may set either. Where they
/// agree, that is the time, and it goes on with a clock that nobody sets. A clock that is set
/// afterwards changes nothing as long as the other one agrees with what was reckoned; where neither
/// does, both may be right all the same, so they are believed after a while.
package final class Timekeeper: Sendable {
    private let clocks: @Sendable () -> ClockReading
    private let state = Mutex(ClockEstimate())

    package init(
        _ clocks: @escaping @Sendable () -> ClockReading = {
            ClockReading(wall: .now, uptime: .now)
        }
    ) {
        self.clocks = clocks
    }

    /// The time to decide by.
    package var now: Instant {
        let reading = clocks()
        return state.withLock { $0.now(reading) }
    }

    /// Whether something may be done because of the time alone.
    package var isTrusted: Bool {
        let reading = clocks()
        return state.withLock { $0.isTrusted(reading) }
    }

    /// Asks the database for its clock, and takes note of it and of the last recorded time.
    func look(at log: EventLog, lastRecordedAt last: Instant?) async throws(LogError) {
        let asked = clocks().uptime
        guard let database = try await log.clock() else { return }
        let reading = clocks()
        guard reading.uptime - asked < ClockEstimate.patience else { return }
        state.withLock { $0.note(reading, database: database, last: last) }
    }
}

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

/// The time as it follows from what was seen of the clocks.
struct ClockEstimate: Sendable {
    /// How far clocks may be apart that agree: more than those that are looked after ever are, and
    /// the way to the database.
    static let tolerance: Duration = .seconds(5)
    /// How long clocks that agree with each other only are doubted.
    static let probation: Duration = .seconds(600)
    /// An answer that took longer says nothing of now.
    static let patience: Duration = .seconds(1)
    /// How long what the database said is good for.
    static let memory: Duration = .seconds(60)

    /// A time, and where the clock stood that nobody sets.
    private struct Mark {
        var time: Instant
        var uptime: ContinuousClock.Instant

        func reckoned(at uptime: ContinuousClock.Instant) -> Instant {
            time.advanced(by: uptime - self.uptime)
        }
    }

    private var anchor: Mark?
    private var database: Mark?
    /// Whether both clocks ever agreed with what is reckoned from.
    private var isSettled = false
    /// Since when both agree with each other, and not with that.
    private var movedSince: ContinuousClock.Instant?

    /// Without any word from the database it is what the machine says.
    func now(_ reading: ClockReading) -> Instant {
        anchor?.reckoned(at: reading.uptime) ?? reading.wall
    }

    func isTrusted(_ reading: ClockReading) -> Bool {
        guard isSettled, let anchor, let database,
            reading.uptime - database.uptime < Self.memory
        else { return false }
        let reckoned = anchor.reckoned(at: reading.uptime)
        return [reading.wall, database.reckoned(at: reading.uptime)].contains {
            $0.isNear(reckoned)
        }
    }

    mutating func note(_ reading: ClockReading, database: Instant, last: Instant?) {
        self.database = Mark(time: database, uptime: reading.uptime)
        let agree = database.isNear(reading.wall)
        guard let anchor else {
            isSettled = agree
            let time = agree ? database : Self.choice(reading.wall, database, after: last)
            return anchor = Mark(time: time, uptime: reading.uptime)
        }
        let isExpected = database.isNear(anchor.reckoned(at: reading.uptime))
        if agree, isExpected || !isSettled {
            // It follows them, so that what clocks drift never adds up.
            self.anchor = Mark(time: database, uptime: reading.uptime)
            (isSettled, movedSince) = (true, nil)
        } else if agree {
            let since = movedSince ?? reading.uptime
            movedSince = since
            guard reading.uptime - since >= Self.probation else { return }
            self.anchor = Mark(time: database, uptime: reading.uptime)
            movedSince = nil
        } else {
            movedSince = nil
        }
    }

    /// The earlier of two that disagree, so that nothing comes early; but not one that was over when
    /// the last event was recorded.
    private static func choice(_ one: Instant, _ other: Instant, after last: Instant?) -> Instant {
        let earlier = min(one, other)
        guard let last, earlier.advanced(by: tolerance) < last else { return earlier }
        return max(one, other)
    }
}

extension Instant {
    fileprivate func isNear(_ other: Instant) -> Bool {
        let apart = millisecondsSince1970.subtractingReportingOverflow(
            other.millisecondsSince1970
        )
        return !apart.overflow
            && Duration.milliseconds(apart.partialValue.magnitude) <= ClockEstimate.tolerance
    }
}
