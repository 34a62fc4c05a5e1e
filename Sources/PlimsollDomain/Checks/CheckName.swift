/// A mistake that was made before, by somebody, and that can be seen in what a change would do.
package enum CheckName: String, Codable, CaseIterable, Sendable {
    /// People are told to install a version that will not run.
    case minimumAboveRecommended
    /// Versions run again that did not.
    case minimumLowered
    /// People who read a language see another one, or nothing.
    case languageRemoved
    /// One of the two texts is about something else.
    case textsEqual
    /// A text was not finished, or not read through.
    case placeholderLeft
    /// People are sent to a store that they do not have.
    case otherStoreNamed
    /// A mark that turns the direction stands in a language that is written from left to right.
    case directionMark
    /// A text is in letters that its language is not written in, or has words left in others.
    case wrongScript
    /// A text does not fit on the screens that show it.
    case textLong
    /// No release that is known satisfies a minimum: whoever is below it has no way on.
    case minimumUnreleased
    /// People are let in by the minimum system who cannot install what the minimum app asks for.
    case minimumUninstallable
    /// The minimum system rises to what a release needs, and the minimum app stays with older ones
    /// that run below it.
    case minimumAppLeftBehind
    /// People are told to install what their store does not have yet, or only just.
    case releaseNotInStore
    /// An app stops running, or is told to be updated first, on more of the counted devices than the
    /// policy has set as a limit.
    case blocksMany
    /// Clients of Prince of Versions are told offers that know nothing of a minimum.
    case offersBehind
    /// Apps that people have would refuse the document as a whole, and go on with an older one.
    case clientsCannotRead
    /// Some read a title and a description in two languages.
    case languagesDiffer
    /// People whom no update helps are told what they were told when one did.
    case updateStillAdvised
    /// Some languages say something new, and others what is wrong by now.
    case textsNotRewritten
    /// Whoever installed from a marketplace is told to install a version that it does not offer.
    case minimumNotOffered
    /// A package is offered that does not run on systems which the document lets in.
    case packageNeedsNewerSystem
    /// The store and the marketplace do not say the same of one version.
    case packageDiffersFromRelease
}

extension CheckName {
    package static let all = Set(allCases)

    /// Whether it finds nothing while no release is known of the platform.
    var needsReleases: Bool {
        switch self {
        case .minimumUnreleased, .minimumUninstallable, .minimumAppLeftBehind,
            .releaseNotInStore, .packageDiffersFromRelease:
            true
        case .minimumAboveRecommended, .minimumLowered, .languageRemoved, .textsEqual,
            .placeholderLeft, .otherStoreNamed, .directionMark, .wrongScript, .textLong,
            .blocksMany, .offersBehind, .clientsCannotRead, .languagesDiffer, .updateStillAdvised,
            .textsNotRewritten, .minimumNotOffered, .packageNeedsNewerSystem:
            false
        }
    }

    /// Whether it reads what a text says; to read all of them takes longer than all else.
    var isOfTexts: Bool {
        switch self {
        case .textsEqual, .placeholderLeft, .otherStoreNamed, .directionMark, .wrongScript,
            .textLong:
            true
        case .minimumAboveRecommended, .minimumLowered, .languageRemoved, .minimumUnreleased,
            .minimumUninstallable, .minimumAppLeftBehind, .releaseNotInStore, .blocksMany,
            .offersBehind, .clientsCannotRead, .languagesDiffer, .updateStillAdvised,
            .textsNotRewritten, .minimumNotOffered, .packageNeedsNewerSystem,
            .packageDiffersFromRelease:
            false
        }
    }

    /// What follows where a policy does not speak of it.
    ///
    /// An incident and the end of an app ask for a version that does not exist, and a mistake in a
    /// system for another minimum of it alone, and somebody says so; nobody has a reason to tell
    /// people to install what they cannot.
    package var usualRule: CheckRule {
        switch self {
        case .minimumUnreleased, .minimumAppLeftBehind, .minimumNotOffered:
            CheckRule(.refuse, overridableBy: .approver)
        case .minimumUninstallable: CheckRule(.refuse)
        case .minimumAboveRecommended, .minimumLowered, .languageRemoved, .textsEqual,
            .placeholderLeft, .otherStoreNamed, .directionMark, .wrongScript, .textLong,
            .releaseNotInStore, .blocksMany, .offersBehind, .clientsCannotRead, .languagesDiffer,
            .updateStillAdvised, .textsNotRewritten, .packageNeedsNewerSystem,
            .packageDiffersFromRelease:
            .warning
        }
    }
}

/// What a check found in a field.
package struct CheckFinding: Hashable, Sendable {
    package let check: CheckName
    package let field: Field
    /// What is wrong, and where.
    package let sentence: String

    package init(_ check: CheckName, _ field: Field, _ sentence: String) {
        self.check = check
        self.field = field
        self.sentence = sentence
    }
}

extension LogState {
    /// What the checks find in an open change, and what the policy makes of it.
    package func checks(
        of change: Change,
        digest: ChangeDigest,
        at now: Instant,
        asking asked: Set<CheckName> = CheckName.all
    ) -> [CheckResult] {
        guard let app = app(change.app) else { return [] }
        let policy = policy(of: change.app).policy
        let findings = app.findings(
            applying: change.operations,
            under: policy,
            at: now,
            by: strictness,
            asking: asked
        )
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
                && !override.lapsedBy.contains(strictness.lapsing)
                && access.permits(override.by, role, in: .app(change.app))
                && objectionToReviewer(override.by, of: change) == nil
        }?.by
    }

    /// What the checks find and nobody has overridden.
    func objectionsOfChecks(to examined: ExaminedChange, at now: Instant) -> [Objection] {
        let asked = policy(of: examined.app.slug).policy.checksRefusing(in: examined.app)
        guard !asked.isEmpty else { return [] }
        let checks = checks(of: examined.change, digest: examined.digest, at: now, asking: asked)
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
        let asked = policy.checksRefusing(in: app)
        guard !asked.isEmpty else { return [] }
        let findings = app.findings(
            applying: operations,
            under: policy,
            at: now,
            by: strictness,
            asking: asked
        )
        return findings.compactMap { finding in
            let rule = policy.rule(for: finding.check)
            guard rule.severity == .refuse, rule.overridableBy == nil else { return nil }
            return .checkRefused(finding, overridableBy: nil)
        }
    }
}

extension Policy {
    /// The checks that can stand in a change's way: for what all others find, nobody has to look.
    fileprivate func checksRefusing(in app: App) -> Set<CheckName> {
        CheckName.all.filter { check in
            rule(for: check).severity == .refuse
                && (!check.needsReleases || !app.releases.isEmpty)
                && (check != .blocksMany || !app.shares.isEmpty)
                && (check != .minimumNotOffered || !app.distribution.listings.isEmpty)
        }
    }
}
