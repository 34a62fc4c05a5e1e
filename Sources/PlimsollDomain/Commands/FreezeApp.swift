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

    package func decide(in world: World, at now: Instant) throws(Refusal) -> Decision {
        let current = try world.currentFreeze(of: scope, by: by)
        guard current == nil else { throw Refusal(.nothingChanges) }
        var decision = Decision(relyingOn: [.access])
        switch scope {
        case .app(let slug): decision.append(.app(.freezeStarted), to: .app(slug))
        case .all: decision.append(.service(.serviceFreezeStarted), to: .service)
        }
        return decision
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

    package func decide(in world: World, at now: Instant) throws(Refusal) -> Decision {
        let current = try world.currentFreeze(of: scope, by: by)
        let plan = world.freezePlans(of: scope).inForce(at: now)
        guard current != nil || plan != nil else {
            // The app is frozen all the same: that is somebody else's to end.
            let elsewhere = world.serviceFreeze(at: now)
            throw Refusal(elsewhere.map(Objection.frozenElsewhere) ?? .nothingChanges)
        }
        var decision = Decision(relyingOn: [.access])
        if current != nil {
            switch scope {
            case .app(let slug): decision.append(.app(.freezeEnded), to: .app(slug))
            case .all: decision.append(.service(.serviceFreezeEnded), to: .service)
            }
        }
        if let plan { decision.append(.ended(plan.id), of: scope) }
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

    package func decide(in world: World, at now: Instant) throws(Refusal) -> Decision {
        _ = try world.currentFreeze(of: scope, by: by)
        let plans = world.freezePlans(of: scope).all
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
        var decision = Decision(relyingOn: [.access])
        decision.append(.planned(window), of: scope)
        return decision
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

    package func decide(in world: World, at now: Instant) throws(Refusal) -> Decision {
        _ = try world.currentFreeze(of: scope, by: by)
        guard let plan = world.freezePlans(of: scope)[plan] else {
            throw Refusal(.freezePlanUnknown(plan))
        }
        guard now < plan.window.from else { throw Refusal(.freezePlanStarted(plan)) }
        var decision = Decision(relyingOn: [.access])
        decision.append(.cancelled(plan.id), of: scope)
        return decision
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

    package func decide(in world: World, at now: Instant) throws(Refusal) -> Decision {
        guard let plan = world.freezePlans(of: scope)[plan], plan.window.from <= now else {
            throw Refusal(.nothingChanges)
        }
        var decision = Decision(relyingOn: [])
        if plan.window.until <= now {
            decision.append(.ended(plan.id), of: scope)
        } else if !plan.hasStarted {
            decision.append(.started(plan.id), of: scope)
        } else {
            throw Refusal(.nothingChanges)
        }
        return decision
    }
}

extension Decision {
    fileprivate mutating func append(_ event: FreezePlanEvent, of scope: Scope) {
        switch scope {
        case .app(let slug): append(.app(.freezePlan(event)), to: .app(slug))
        case .all: append(.service(.freezePlan(event)), to: .service)
        }
    }
}

extension World {
    /// The freeze of exactly this scope that nobody planned, if the principal may start and end one.
    fileprivate func currentFreeze(
        of scope: Scope,
        by principal: PrincipalID
    ) throws(Refusal) -> Freeze? {
        let roles: [Role] = [.responder, .admin]
        guard roles.contains(where: { access.permits(principal, $0, in: scope) }) else {
            throw Refusal(.roleMissing(.responder, scope))
        }
        return switch scope {
        case .app(let slug): try existingApp(slug).freeze
        case .all: serviceFreeze
        }
    }
}
