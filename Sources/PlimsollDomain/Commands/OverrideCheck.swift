/// Says why what a check found in a change is right; the reason goes with the event.
///
/// It holds for the change as it was seen, as an approval does, and for as long as whoever said it
/// has the role. Like an approval it is nobody's to give who had a hand in the change.
package struct OverrideCheck: Command {
    package let change: ChangeID
    package let seen: ChangeDigest
    package let check: CheckName
    package let reason: Reason?
    package let by: PrincipalID
    package let hash: ChangeHash

    package init(
        change: ChangeID,
        seen: ChangeDigest,
        check: CheckName,
        reason: Reason,
        by: PrincipalID,
        hash: @escaping ChangeHash
    ) {
        self.change = change
        self.seen = seen
        self.check = check
        self.reason = reason
        self.by = by
        self.hash = hash
    }

    package func decide(in world: World, at now: Instant) throws(Refusal) -> Decision {
        let examined = try world.examined(change, by: by, hash)
        let app = examined.app.slug
        let rule = world.policy(of: app).policy.rule(for: check)
        // Whoever may approve may be told that there is nothing to override.
        try world.require(rule.overridableBy ?? .approver, of: by, in: .app(app))
        let checks = world.checks(of: examined.change, digest: examined.digest, at: now)
        let results = checks.filter {
            $0.finding.check == check && $0.rule.severity == .refuse
        }
        var objections = examined.objections(toSeeing: seen)
        if let objection = world.objectionToReviewer(by, of: examined.change) {
            objections.append(objection)
        }
        let refused = results.filter(\.isRefused)
        if refused.isEmpty { objections.append(.nothingChanges) }
        objections += refused.filter { $0.rule.overridableBy == nil }.map {
            .checkRefused($0.finding, overridableBy: nil)
        }
        guard objections.isEmpty else { throw Refusal(objections) }
        var decision = Decision(relyingOn: [.access, .service, .app(app)])
        decision.append(
            .change(.checkOverridden(check, digest: examined.digest)),
            to: .change(change)
        )
        return decision
    }
}
