/// Since when nothing but rollbacks and emergencies applies, who wanted it, and why.
package struct Freeze: Equatable, Sendable {
    package let position: Position
    package let by: PrincipalID
    package let since: Instant
    /// When it ends by itself, where it was planned.
    package let until: Instant?
    package let reason: Reason?
    /// Whether every app is frozen, not this one.
    package let isOfEverything: Bool

    package init(_ recorded: RecordedEvent, isOfEverything: Bool) {
        position = recorded.position
        by = recorded.origin.actor
        since = recorded.recordedAt
        until = nil
        reason = recorded.origin.reason
        self.isOfEverything = isOfEverything
    }

    /// What a sentence about it says of its end.
    var end: String { until.map { ", until \($0)" } ?? "" }

    package init(_ plan: FreezePlan) {
        (position, by, reason) = (plan.id, plan.by, plan.reason)
        (since, until) = (plan.window.from, plan.window.until)
        isOfEverything = plan.isOfEverything
    }
}

/// From when until when nothing but rollbacks and emergencies is to apply.
package struct FreezeWindow: Hashable, Sendable {
    package let from: Instant
    package let until: Instant
    /// The zone that its author thinks in; only shown.
    package let timeZone: TimeZoneName

    package init(from: Instant, until: Instant, timeZone: TimeZoneName) {
        (self.from, self.until, self.timeZone) = (from, until, timeZone)
    }

    /// Its end is no part of it.
    package func holds(_ instant: Instant) -> Bool { from <= instant && instant < until }

    func overlaps(_ other: FreezeWindow) -> Bool { from < other.until && other.from < until }
}

/// What happens to a freeze that is planned ahead; all but the first name the position of the first.
package enum FreezePlanEvent: Equatable, Sendable {
    case planned(FreezeWindow)
    /// Before it began.
    case cancelled(Position)
    /// Its time has come. It holds from then on whether this is recorded yet or not.
    case started(Position)
    /// Its time is over, or somebody ended it before.
    case ended(Position)
}

/// A freeze that was planned, until it is over.
///
/// It is in force by the clock: an append is decided by the time that it is recorded with. That it began
/// and that it ended is recorded for people, and so that what waited for its end is published.
package struct FreezePlan: Equatable, Sendable {
    /// The position of the event that planned it.
    package let id: Position
    package let window: FreezeWindow
    package let by: PrincipalID
    package let reason: Reason?
    /// Whether it is of every app, not of one.
    package let isOfEverything: Bool
    /// Whether it is recorded that it began.
    package fileprivate(set) var hasStarted = false

    package init?(_ recorded: RecordedEvent) {
        switch recorded.event {
        case .app(.freezePlan(.planned(let window))):
            (self.window, isOfEverything) = (window, false)
        case .service(.freezePlan(.planned(let window))):
            (self.window, isOfEverything) = (window, true)
        default: return nil
        }
        (id, by) = (recorded.position, recorded.origin.actor)
        reason = recorded.origin.reason
    }

    /// So many of an app, or of everything, may lie ahead.
    package static let countMaximum = 100
}

/// The freezes of an app, or of everything, that are planned and not over, soonest first.
package struct FreezePlans: Equatable, Sendable {
    package private(set) var all: [FreezePlan] = []

    package init() {}

    package subscript(id: Position) -> FreezePlan? { all.first { $0.id == id } }

    /// The one that is in force.
    package func inForce(at instant: Instant) -> FreezePlan? {
        all.first { $0.window.holds(instant) }
    }

    package mutating func evolve(_ event: FreezePlanEvent, _ recorded: RecordedEvent) {
        switch event {
        case .planned:
            guard let plan = FreezePlan(recorded) else { return }
            all.append(plan)
            all.sort { $0.window.from < $1.window.from }
        case .started(let id):
            guard let index = all.firstIndex(where: { $0.id == id }) else { return }
            all[index].hasStarted = true
        case .cancelled(let id), .ended(let id): all.removeAll { $0.id == id }
        }
    }
}
