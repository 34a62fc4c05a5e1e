/// Gives a change a time of its own, or takes it away.
///
/// What was approved was to come into force at another time, so approvals do not count any more.
package struct ScheduleChange: Command {
    package let change: ChangeID
    package let seen: ChangeDigest
    package let schedule: Schedule?
    package let by: PrincipalID
    package let hash: ChangeHash

    /// A schedule lies at most so far ahead.
    package static let horizon = Duration.seconds(366 * 86_400)

    package init(
        change: ChangeID,
        seen: ChangeDigest,
        schedule: Schedule?,
        by: PrincipalID,
        hash: @escaping ChangeHash
    ) {
        self.change = change
        self.seen = seen
        self.schedule = schedule
        self.by = by
        self.hash = hash
    }

    package func decide(in world: World, at now: Instant) throws(Refusal) -> Decision {
        let examined = try world.examined(change, by: by, hash)
        try world.require(.proposer, of: by, in: .app(examined.app.slug))
        var objections = examined.objections(toSeeing: seen)
        objections += schedule?.objections(at: now) ?? []
        objections += world.objectionsToOutliving(
            examined.content.effect,
            of: examined.app.slug,
            schedule,
            at: now
        )
        if examined.change.state == .changesRequested { objections.append(.changesWanted(change)) }
        if schedule == examined.change.schedule, examined.change.state != .suspended {
            objections.append(.nothingChanges)
        }
        guard objections.isEmpty else { throw Refusal(objections) }
        var decision = Decision(relyingOn: [.access, .app(examined.app.slug)])
        decision.append(.change(.changeScheduled(schedule)), to: .change(change))
        return decision
    }
}

extension Schedule {
    /// What is wrong with it if it is made now.
    func objections(at now: Instant) -> [Objection] {
        var objections: [Objection] = []
        if at == nil, until == nil { objections.append(.scheduleEmpty) }
        if let at, at <= now {
            objections.append(.schedulePassed(at, now: now, at: "/schedule/at"))
        }
        if let until, until <= at ?? now {
            objections.append(
                .schedulePassed(until, now: at ?? now, at: "/schedule/until")
            )
        }
        let latest = now.advanced(by: ScheduleChange.horizon)
        if let last = [at, until].compactMap(\.self).max(), last > latest {
            objections.append(.scheduleTooFar(last, latest: latest))
        }
        return objections
    }
}
