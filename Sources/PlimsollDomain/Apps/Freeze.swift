/// Since when nothing but rollbacks and emergencies applies, who wanted it, and why.
package struct Freeze: Codable, Equatable, Sendable {
    package let position: Position
    package let by: PrincipalID
    package let since: Instant
    /// When it ends by itself, where it was planned.
    package let until: Instant?
    package let reason: Reason?
    package let scope: Scope

    package init(_ recorded: RecordedEvent) {
        position = recorded.position
        by = recorded.origin.actor
        since = recorded.recordedAt
        until = nil
        reason = recorded.origin.reason
        scope = recorded.stream.frozenScope
    }

    package init(_ plan: FreezePlan) {
        (position, by, reason) = (plan.id, plan.by, plan.reason)
        (since, until) = (plan.window.from, plan.window.until)
        scope = plan.scope
    }

    /// What a sentence about it says of its end.
    var end: String { until.map { ", until \($0)" } ?? "" }
}

/// From when until when nothing but rollbacks and emergencies is to apply.
package struct FreezeWindow: Codable, Hashable, Sendable {
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

/// A freeze that was planned, until it is over.
///
/// It is in force by the clock: an append is decided by the time that it is recorded with. That it began
/// and that it ended is recorded for people, and so that what waited for its end is published.
package struct FreezePlan: Codable, Equatable, Sendable {
    /// The position of the event that planned it.
    package let id: Position
    package let window: FreezeWindow
    package let by: PrincipalID
    package let reason: Reason?
    package let scope: Scope
    /// Whether it is recorded that it began.
    package fileprivate(set) var hasStarted = false

    /// `nil` where the event plans none.
    package init?(_ recorded: RecordedEvent) {
        guard case .planned(let window)? = recorded.event.freeze else { return nil }
        self.init(window, recorded)
    }

    fileprivate init(_ window: FreezeWindow, _ recorded: RecordedEvent) {
        self.window = window
        (id, by) = (recorded.position, recorded.origin.actor)
        (reason, scope) = (recorded.origin.reason, recorded.stream.frozenScope)
    }

    /// So many of an app, or of everything, may lie ahead.
    package static let countMaximum = 100
}

/// What freezes an app, or everything, now and later: a fold of their events.
package struct Freezes: Codable, Equatable, Sendable {
    /// The freeze that nobody planned, while it lasts.
    package private(set) var unplanned: Freeze?
    /// Those that are planned and not over, soonest first.
    package private(set) var plans: [FreezePlan] = []
    /// From when until when those held that were over last.
    private var past: [PastFreeze] = []

    package init() {}

    package func plan(_ id: Position) -> FreezePlan? { plans.first { $0.id == id } }

    /// The planned one that is in force.
    package func planInForce(at instant: Instant) -> FreezePlan? {
        plans.first { $0.window.holds(instant) }
    }

    /// The one that is in force, planned or not.
    package func inForce(at instant: Instant) -> Freeze? {
        unplanned ?? planInForce(at: instant).map(Freeze.init)
    }

    /// Whether one that is over held then, or a planned one by the clock.
    func held(at instant: Instant) -> Bool {
        planInForce(at: instant) != nil
            || past.contains { $0.from <= instant && instant < $0.until }
    }

    /// From when until when those held that are over, and those that have begun until now.
    func spans(until now: Instant) -> [(from: Instant, until: Instant)] {
        past.map { ($0.from, $0.until) } + (unplanned.map { [($0.since, now)] } ?? [])
            + plans.filter { $0.window.from <= now }
            .map { ($0.window.from, min($0.window.until, now)) }
    }

    /// The one that is recorded to have begun, planned or not.
    package var begun: Freeze? { unplanned ?? plans.first(where: \.hasStarted).map(Freeze.init) }

    package mutating func evolve(_ event: FreezeEvent, _ recorded: RecordedEvent) {
        switch event {
        case .started: unplanned = Freeze(recorded)
        case .ended:
            if let unplanned { note(unplanned.since, recorded.recordedAt) }
            unplanned = nil
        case .planned(let window):
            plans.append(FreezePlan(window, recorded))
            plans.sort { $0.window.from < $1.window.from }
        case .planStarted(let id):
            guard let index = plans.firstIndex(where: { $0.id == id }) else { return }
            plans[index].hasStarted = true
        case .planCancelled(let id): plans.removeAll { $0.id == id }
        case .planEnded(let id):
            if let window = plan(id)?.window {
                note(window.from, min(window.until, recorded.recordedAt))
            }
            plans.removeAll { $0.id == id }
        }
    }

    private mutating func note(_ from: Instant, _ until: Instant) {
        past = past.suffix(FreezePlan.countMaximum - 1) + [PastFreeze(from: from, until: until)]
    }
}

/// A freeze that is over.
private struct PastFreeze: Codable, Equatable, Sendable {
    let from: Instant
    let until: Instant
}

extension StreamName {
    /// What is frozen by an event that stands there.
    fileprivate var frozenScope: Scope {
        if case .app(let slug) = self { .app(slug) } else { .all }
    }
}
