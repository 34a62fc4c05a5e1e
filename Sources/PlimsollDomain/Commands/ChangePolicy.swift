/// Puts a policy into force, for an app or as the default of all.
package struct ChangePolicy: Command {
    package let scope: Scope
    /// `nil` has the app follow the default again.
    package let policy: Policy?
    /// Where the event stands of the policy in force that its author saw; `start` for the built-in
    /// one, and `nil` for somebody who takes it that there is none of this scope yet.
    package let seen: Position?
    package let reason: Reason?
    package let by: PrincipalID

    /// A hundred years; more is a mistake.
    package static let secondsMaximum: Int64 = 100 * 366 * 86_400

    package init(
        of scope: Scope,
        to policy: Policy?,
        seen: Position?,
        reason: Reason?,
        by: PrincipalID
    ) {
        self.scope = scope
        self.policy = policy
        self.seen = seen
        self.reason = reason
        self.by = by
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        try logState.require(.admin, of: by, in: scope)
        if case .app(let slug) = scope { _ = try logState.existingApp(slug) }
        var objections = policy?.objections(in: logState) ?? []
        objections += objectionsToSeeing(logState.policyInForce(in: scope))
        guard objections.isEmpty else { throw Refusal(objections) }
        var decision = Decision(relyingOn: [.access, .service])
        switch scope {
        case .app(let slug):
            guard logState.app(slug)?.policy?.policy != policy else {
                throw Refusal(.nothingChanges)
            }
            decision.append(.app(.policyChanged(policy)), to: .app(slug))
        case .all:
            let wanted = policy ?? .builtIn
            guard logState.defaultPolicyInForce.policy != wanted else {
                throw Refusal(.nothingChanges)
            }
            decision.append(.service(.defaultPolicyChanged(wanted)), to: .service)
        }
        return decision
    }

    /// Who changes a policy has seen the one in force, so that nobody undoes what somebody else
    /// has just decided.
    private func objectionsToSeeing(_ inForce: PolicyInForce) -> [Objection] {
        let current = inForce.since ?? .start
        guard let seen else {
            let isFirst = scope == .all ? inForce.since == nil : !inForce.isOwn
            return isFirst ? [] : [.policyUnseen(scope, current: current)]
        }
        return seen == current ? [] : [.policyDiffers(scope, seen: seen, current: current)]
    }
}

extension LogState {
    /// The policy that holds for an app, or for every app without one of its own.
    package func policyInForce(in scope: Scope) -> PolicyInForce {
        switch scope {
        case .app(let slug): policy(of: slug)
        case .all: defaultPolicyInForce
        }
    }
}

extension Policy {
    /// What about it nobody could ever satisfy, or makes no sense.
    fileprivate func objections(in logState: LogState) -> [Objection] {
        var objections: [Objection] = []
        for kind in ChangeKind.allCases {
            guard let rule = rules[kind] else { continue }
            let pointer = Pointer("/rules").appending(kind.rawValue)
            objections += rule.objections(at: pointer, in: logState)
        }
        let reviews = [("/emergencyReview", emergencyReview), ("/rollbackReview", rollbackReview)]
        for case (let pointer, let review?) in reviews {
            objections += secondsObjections(
                review.withinSeconds,
                least: 60,
                at: Pointer(pointer).appending("withinSeconds")
            )
        }
        objections += releases.objections(at: "/releases", in: logState)
        objections += shares.objections(at: "/shares", in: logState)
        objections += secondsObjections(graceSeconds, least: 0, at: "/graceSeconds")
        objections += secondsObjections(storeSeconds, least: 0, at: "/storeSeconds")
        if let blockedPercentMaximum, !(0...100).contains(blockedPercentMaximum) {
            objections.append(.numberOutside(0...100, at: "/blockedPercentMaximum"))
        }
        return objections
    }
}

extension ApprovalRule {
    fileprivate func objections(at pointer: Pointer, in logState: LogState) -> [Objection] {
        var objections: [Objection] = []
        let list = pointer.appending("approvals")
        if requirements.count > Self.requirementsMaximum {
            objections.append(.listTooLong(maximum: Self.requirementsMaximum, at: list))
        }
        for (index, requirement) in requirements.enumerated() {
            objections += requirement.objections(at: list.appending(index), in: logState)
        }
        if let validSeconds {
            objections += secondsObjections(
                validSeconds,
                least: 60,
                at: pointer.appending("validSeconds")
            )
        }
        return objections
    }
}

extension ApprovalRequirement {
    fileprivate func objections(at pointer: Pointer, in logState: LogState) -> [Objection] {
        var objections: [Objection] = []
        let maximum = people.isEmpty ? Self.countMaximum : min(Self.countMaximum, people.count)
        if !(1...maximum).contains(count) {
            objections.append(
                .numberOutside(1...Int64(maximum), at: pointer.appending("count"))
            )
        }
        let list = pointer.appending("people")
        if people.count > Self.peopleMaximum {
            objections.append(.listTooLong(maximum: Self.peopleMaximum, at: list))
        }
        var seen: Set<PrincipalID> = []
        for (index, person) in people.enumerated() {
            let place = list.appending(index)
            if logState.access.principal(person) == nil {
                objections.append(.personUnknown(person, at: place))
            } else if !seen.insert(person).inserted {
                objections.append(.repeated(person.text, at: place))
            }
        }
        return objections
    }
}

private func secondsObjections(
    _ seconds: Int64,
    least: Int64,
    at pointer: Pointer
) -> [Objection] {
    let allowed = least...ChangePolicy.secondsMaximum
    return allowed.contains(seconds) ? [] : [.numberOutside(allowed, at: pointer)]
}
