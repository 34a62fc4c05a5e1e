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

/// Lets changes apply again.
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
        guard current != nil else {
            // The app is frozen all the same: that is somebody else's to end.
            throw Refusal(world.serviceFreeze.map(Objection.frozenElsewhere) ?? .nothingChanges)
        }
        var decision = Decision(relyingOn: [.access])
        switch scope {
        case .app(let slug): decision.append(.app(.freezeEnded), to: .app(slug))
        case .all: decision.append(.service(.serviceFreezeEnded), to: .service)
        }
        return decision
    }
}

extension World {
    /// The freeze of exactly this scope, if the principal may start and end one.
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
