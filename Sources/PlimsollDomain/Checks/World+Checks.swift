extension World {
    /// What the checks find in an open change, and what the policy makes of it.
    package func checks(
        of change: Change,
        digest: ChangeDigest,
        at now: Instant
    ) -> [CheckResult] {
        guard let app = app(change.app) else { return [] }
        let policy = policy(of: change.app).policy
        let findings = app.findings(applying: change.operations, under: policy, at: now)
        return findings.map { finding in
            let rule = policy.rule(for: finding.check)
            return CheckResult(
                finding: finding,
                rule: rule,
                overriddenBy: overrider(of: finding.check, rule, in: change, digest)
            )
        }
    }

    /// Whoever said last that it is right, has the role that the policy wants for it now, and has
    /// had no hand in the change to this day.
    private func overrider(
        of check: CheckName,
        _ rule: CheckRule,
        in change: Change,
        _ digest: ChangeDigest
    ) -> PrincipalID? {
        guard let role = rule.overridableBy else { return nil }
        return change.overrides.last { override in
            override.check == check && override.digest == digest && !override.isOutdated
                && access.permits(override.by, role, in: .app(change.app))
                && objectionToReviewer(override.by, of: change) == nil
        }?.by
    }

    /// What the checks find and nobody has overridden.
    func objectionsOfChecks(to examined: ExaminedChange, at now: Instant) -> [Objection] {
        guard policy(of: examined.app.slug).policy.refuses(in: examined.app) else { return [] }
        let checks = checks(of: examined.change, digest: examined.digest, at: now)
        return checks.filter(\.isRefused).map {
            .checkRefused($0.finding, overridableBy: $0.rule.overridableBy)
        }
    }

    /// What the checks find and nobody may override: it is not even proposed.
    func objectionsOfChecks(
        to operations: [Operation],
        of app: App,
        at now: Instant
    ) -> [Objection] {
        let policy = policy(of: app.slug).policy
        guard policy.refuses(in: app) else { return [] }
        let findings = app.findings(applying: operations, under: policy, at: now)
        return findings.compactMap { finding in
            let rule = policy.rule(for: finding.check)
            guard rule.severity == .refuse, rule.overridableBy == nil else { return nil }
            return .checkRefused(finding, overridableBy: nil)
        }
    }
}

extension Policy {
    /// Whether any check can stand in a change's way; where none does, nobody has to look.
    fileprivate func refuses(in app: App) -> Bool {
        CheckName.allCases.contains { check in
            rule(for: check).severity == .refuse
                && (!check.needsReleases || !app.releases.isEmpty)
                && (check != .blocksMany || !app.shares.isEmpty)
        }
    }
}
