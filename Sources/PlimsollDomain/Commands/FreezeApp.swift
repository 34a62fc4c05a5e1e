/// Keeps everything but rollbacks and emergencies from applying.
package struct StartFreeze: Command {
    package let scope: Scope
    package let reason: Reason?
    package let by: PrincipalID

    package init(of scope: Scope, reason: Reason, by: PrincipalID) {
        self.scope = scope
        self.reason = reason
        self.by = by
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        let freezes = try logState.freezes(of: scope, turnedBy: by)
        guard freezes.unplanned == nil else { throw Refusal(.nothingChanges) }
        return Decision(relyingOn: [.access], .started, of: scope)
    }
}

/// Lets changes apply again, whether the freeze was planned or not.
///
/// What came due meanwhile stays suspended.
package struct EndFreeze: Command {
    package let scope: Scope
    package let reason: Reason?
    package let by: PrincipalID

    package init(of scope: Scope, reason: Reason?, by: PrincipalID) {
        self.scope = scope
        self.reason = reason
        self.by = by
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        let freezes = try logState.freezes(of: scope, turnedBy: by)
        let plan = freezes.planInForce(at: now)
        guard freezes.unplanned != nil || plan != nil else {
            // The app is frozen all the same: that is somebody else's to end.
            let elsewhere = logState.freezes(of: .all).inForce(at: now)
            throw Refusal(elsewhere.map(Objection.frozenElsewhere) ?? .nothingChanges)
        }
        var decision = Decision(relyingOn: [.access])
        if freezes.unplanned != nil { decision.append(.ended, of: scope) }
        if let plan { decision.append(.planEnded(plan.id), of: scope) }
        return decision
    }
}

/// Plans a freeze ahead.
package struct PlanFreeze: Command {
    package let scope: Scope
    package let window: FreezeWindow
    package let reason: Reason?
    package let by: PrincipalID

    package init(of scope: Scope, _ window: FreezeWindow, reason: Reason, by: PrincipalID) {
        (self.scope, self.window, self.reason, self.by) = (scope, window, reason, by)
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        let plans = try logState.freezes(of: scope, turnedBy: by).plans
        var objections: [Objection] = []
        if window.until <= window.from { objections.append(.freezeEndsFirst(window)) }
        if window.from <= now { objections.append(.freezePassed(window.from, now: now)) }
        let (last, latest) = (
            max(window.from, window.until), now.advanced(by: ScheduleChange.horizon)
        )
        if last > latest { objections.append(.freezeTooFar(last, latest: latest)) }
        if objections.isEmpty {
            objections += plans.filter { $0.window.overlaps(window) }.map(Objection.freezesOverlap)
        }
        if plans.count >= FreezePlan.countMaximum {
            objections.append(.freezePlansFull(maximum: FreezePlan.countMaximum))
        }
        guard objections.isEmpty else { throw Refusal(objections) }
        return Decision(relyingOn: [.access], .planned(window), of: scope)
    }
}

/// Takes back a freeze that is planned, before it begins.
package struct CancelFreezePlan: Command {
    package let scope: Scope
    package let plan: Position
    package let reason: Reason?
    package let by: PrincipalID

    package init(_ plan: Position, of scope: Scope, reason: Reason?, by: PrincipalID) {
        (self.scope, self.plan, self.reason, self.by) = (scope, plan, reason, by)
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        guard let plan = try logState.freezes(of: scope, turnedBy: by).plan(plan) else {
            throw Refusal(.freezePlanUnknown(plan))
        }
        guard now < plan.window.from else { throw Refusal(.freezePlanStarted(plan)) }
        return Decision(relyingOn: [.access], .planCancelled(plan.id), of: scope)
    }
}

/// Records that a planned freeze began, or that its time is over.
package struct TurnFreezePlan: Command {
    package let scope: Scope
    package let plan: Position
    package let reason: Reason?
    package let by = PrincipalID.system

    /// The reason is that of whoever planned it.
    package init(_ plan: Position, of scope: Scope, reason: Reason?) {
        (self.scope, self.plan, self.reason) = (scope, plan, reason)
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        guard let plan = logState.freezes(of: scope).plan(plan), plan.window.from <= now else {
            throw Refusal(.nothingChanges)
        }
        if plan.window.until <= now {
            return Decision(relyingOn: [], .planEnded(plan.id), of: scope)
        }
        guard !plan.hasStarted else { throw Refusal(.nothingChanges) }
        return Decision(relyingOn: [], .planStarted(plan.id), of: scope)
    }
}

extension Decision {
    fileprivate init(relyingOn streams: Set<StreamName>, _ event: FreezeEvent, of scope: Scope) {
        self.init(relyingOn: streams)
        append(event, of: scope)
    }

    fileprivate mutating func append(_ event: FreezeEvent, of scope: Scope) {
        switch scope {
        case .app(let slug): append(.app(.freeze(event)), to: .app(slug))
        case .all: append(.service(.freeze(event)), to: .service)
        }
    }
}

extension LogState {
    /// What freezes exactly this scope, if the principal may start and end that.
    fileprivate func freezes(
        of scope: Scope,
        turnedBy principal: PrincipalID
    ) throws(Refusal) -> Freezes {
        let roles: [Role] = [.responder, .admin]
        guard roles.contains(where: { access.permits(principal, $0, in: scope) }) else {
            throw Refusal(.roleMissing(.responder, scope))
        }
        if case .app(let slug) = scope { _ = try existingApp(slug) }
        return freezes(of: scope)
    }
}
