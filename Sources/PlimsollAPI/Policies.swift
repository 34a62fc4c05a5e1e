package import PlimsollDomain
package import PlimsollJSON

extension Endpoints {
    static let policies: [any EndpointDeclaration] = [
        getDefaultPolicy, changeDefaultPolicy, getPolicy, changePolicy, resetPolicy,
    ]

    package static let getDefaultPolicy = Read<NoNames, PolicyAnswer>(
        .get("getDefaultPolicy", "/v1/policy"),
        "The default policy: who has to approve what in apps without their own.",
        query: .moment
    )

    package static let changeDefaultPolicy = Endpoint<
        NoNames, SeenPolicy, PolicyForm, PolicyAnswer
    >(
        .put("changeDefaultPolicy", "/v1/policy"),
        "Replace the default policy."
    )

    package static let getPolicy = Read<AppSlug, PolicyAnswer>(
        .get("getPolicy", "/v1/apps/{app}/policy"),
        "The policy of an app: its own, or the default one.",
        query: .moment
    )

    package static let changePolicy = Endpoint<AppSlug, SeenPolicy, PolicyForm, PolicyAnswer>(
        .put("changePolicy", "/v1/apps/{app}/policy"),
        "Replace the policy of an app."
    )

    package static let resetPolicy = Endpoint<AppSlug, SeenPolicy, ReasonForm, DryRunAnswer>(
        .delete("resetPolicy", "/v1/apps/{app}/policy"),
        "Have an app follow the default policy again.",
        takes: "PolicyReset"
    )
}

/// A part of a policy in words.
package struct PolicyClause: Equatable, Sendable {
    /// The member that says it: `rules.raiseMinimum`.
    package let name: String
    /// `Raising a minimum`.
    package let subject: String
    /// `needs 2 approvals by people in the role approver`.
    package let predicate: String

    package var sentence: String { "\(subject) \(predicate)." }
}

extension Policy {
    /// The whole policy in words, people called by their names.
    package func clauses(
        naming name: (PrincipalID) -> String = \.text
    ) -> [PolicyClause] {
        let rules = ChangeKind.allCases.map { kind in
            PolicyClause(
                name: "rules.\(kind.rawValue)",
                subject: kind.subject,
                predicate: rule(for: kind).predicate(naming: name)
            )
        }
        let rest = [
            ("emergencyReview", "An emergency", reviewed(emergencyReview)),
            ("rollbackReview", "A rollback", rollbackReview.map(reviewed) ?? unreviewed),
            ("releases", "Registering, amending or withdrawing a release", kept(releases, name)),
            ("shares", "Replacing or removing a count of devices", kept(shares, name)),
            ("storeSeconds", "A release", installable),
            ("blockedPercentMaximum", "To take an app away from devices", nameable),
            ("graceSeconds", "A schedule that was missed", madeUpFor),
        ]
        let checks = CheckName.allCases.map { check in
            PolicyClause(
                name: "checks.\(check.rawValue)",
                subject: "The check \(check.rawValue)",
                predicate: rule(for: check).predicate
            )
        }
        return rules + checks
            + rest.map { PolicyClause(name: $0, subject: $1, predicate: $2) }
    }

    /// What another policy would say otherwise, clause by clause.
    package func differences(
        to other: Policy,
        naming name: (PrincipalID) -> String = \.text
    ) -> [Difference] {
        zip(clauses(naming: name), other.clauses(naming: name)).filter { $0 != $1 }
            .map { before, after in
                Difference(
                    member: before.name,
                    subject: before.subject,
                    before: before.predicate,
                    after: after.predicate
                )
            }
    }

    private func reviewed(_ rule: ReviewRule) -> String {
        "needs nobody's approval, and is reviewed by somebody in the role \(rule.role.rawValue)"
            + " within \(words(for: rule.withinSeconds))"
    }

    private func kept(_ rule: FactRule, _ name: (PrincipalID) -> String) -> String {
        "needs nobody's approval, and is done by \(rule.permitted(naming: name))"
    }

    private var unreviewed: String { "needs nobody's approval, and is not reviewed" }

    private var installable: String {
        storeSeconds == 0
            ? "may be asked for once its store has it"
            : "may be asked for once its store has had it for \(words(for: storeSeconds))"
    }

    private var nameable: String {
        blockedPercentMaximum.map { "is named by a check where it is more than \($0) % of them" }
            ?? "is named by no check, however many they are"
    }

    private var madeUpFor: String {
        graceSeconds == 0
            ? "is not made up for" : "is made up for within \(words(for: graceSeconds))"
    }
}

extension CheckRule {
    fileprivate var predicate: String {
        guard severity == .refuse else { return "only tells what it finds" }
        let role = overridableBy.map { ", unless somebody in the role \($0.rawValue) overrides it" }
        return "refuses a change" + (role ?? "")
    }

    package static let shape = Shape<Self>(
        "CheckRule",
        Self.init(_:overridableBy:),
        .required("severity", \.severity, .names),
        .optional("overridableBy", \.overridableBy, .names)
    )
}

extension ChangeKind {
    var subject: String {
        switch self {
        case .raiseMinimum: "Raising a minimum"
        case .lowerMinimum: "Lowering a minimum"
        case .recommendation: "Recommending another version"
        case .offers: "Changing offers"
        case .text: "Changing texts only"
        }
    }
}

extension ApprovalRule {
    fileprivate func predicate(naming name: (PrincipalID) -> String) -> String {
        guard !requirements.isEmpty else { return "needs nobody's approval" }
        let all = requirements.map { $0.words(naming: name) }.joined(separator: " and ")
        return "needs \(all)"
            + (validSeconds.map { "; an approval counts for \(words(for: $0))" } ?? "")
    }

    package static let shape = Shape<Self>(
        "ApprovalRule",
        Self.init(requirements:validSeconds:),
        .required("approvals", \.requirements, .objects(ApprovalRequirement.shape)),
        .optional("validSeconds", \.validSeconds, .seconds)
    )
}

extension ApprovalRequirement {
    package static let shape = Shape<Self>(
        nil,
        Self.init(_:of:people:signedBy:),
        .required("count", \.count, .count(from: 1, to: countMaximum)),
        .required("role", \.role, .names),
        .usual("people", \.people, .array(of: .principal), []),
        .optional("signedBy", \.signedBy, .names, none: .leftOut)
    )
}

/// A number of seconds in the largest unit that it is a multiple of.
private func words(for seconds: Int64) -> String {
    let units: [(Int64, String)] = [(86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second")]
    let (size, unit) = units.first { seconds >= $0.0 && seconds % $0.0 == 0 } ?? (1, "second")
    let count = seconds / size
    return "\(count) \(unit)\(count == 1 ? "" : "s")"
}

/// A policy as people write it into a file, and as REST takes and gives it.
///
/// ```json
/// {"rules": {"raiseMinimum": {"approvals": [{"count": 2, "role": "approver"}],
///                             "validSeconds": 86400}},
///  "emergencyReview": {"role": "approver", "withinSeconds": 86400},
///  "rollbackReview": {"role": "approver", "withinSeconds": 86400},
///  "graceSeconds": 900, "storeSeconds": 86400}
/// ```
/// A kind of change without a rule, and whatever else is left out, is as in the built-in policy: one
/// approval by an approver, an emergency reviewed within a day, no review of a rollback, 15 minutes
/// of grace, a day for stores. `rules` itself has to be there, so that an empty body is no policy.
extension Policy: Form, Shaped {
    package static let shape = Shape<Self>(
        "Policy",
        { rules, emergency, rollback, grace, checks, store, percent, releases, shares in
            Self(
                rules: Self.builtIn.rules.merging(rules) { $1 },
                emergencyReview: emergency,
                rollbackReview: rollback,
                graceSeconds: grace,
                checks: checks,
                storeSeconds: store,
                blockedPercentMaximum: percent,
                releases: releases,
                shares: shares
            )
        },
        .required("rules", \.rules, .keyed(.object(ApprovalRule.shape))),
        .usual(
            "emergencyReview",
            \.emergencyReview,
            .object(ReviewRule.shape),
            Self.builtIn.emergencyReview
        ),
        .optional("rollbackReview", \.rollbackReview, .object(ReviewRule.shape)),
        .usual("graceSeconds", \.graceSeconds, .secondsOrNone, Self.builtIn.graceSeconds),
        .usual("checks", \.checks, .keyed(.object(CheckRule.shape)), [:]),
        .usual("storeSeconds", \.storeSeconds, .secondsOrNone, Self.builtIn.storeSeconds),
        .optional("blockedPercentMaximum", \.blockedPercentMaximum, .integer(from: 0, to: 100)),
        .usual("releases", \.releases, .object(FactRule.shape), .usual),
        .usual("shares", \.shares, .object(FactRule.shape), .usual)
    )
}

extension FactRule {
    package static let shape = Shape<Self>(
        "ReleaseRule",
        Self.init(roles:people:),
        .required("roles", \.roles, .array(of: .names, atLeast: 1)),
        .usual("people", \.people, .array(of: .principal), [])
    )
}

extension ReviewRule {
    package static let shape = Shape<Self>(
        "ReviewRule",
        Self.init(role:withinSeconds:),
        .required("role", \.role, .names),
        .required("withinSeconds", \.withinSeconds, .seconds)
    )
}

extension ValueShape<Int64> {
    /// How long something may take, from a minute on.
    fileprivate static let seconds = integer(from: 60, to: Int(ChangePolicy.secondsMaximum))
    fileprivate static let secondsOrNone = integer(from: 0, to: Int(ChangePolicy.secondsMaximum))
}

/// The policy that holds for an app, or for every app without one of its own.
package struct PolicyAnswer: Answer, Shaped {
    /// `nil` is every app.
    package let app: AppSlug?
    package let source: Source
    /// `nil` for the built-in one.
    package let decision: Decision?
    package let policy: Policy
    /// What it asks for that nobody can give as things are, as sentences.
    package var warnings: [String]

    /// Where a policy comes from.
    package enum Source: String, CaseIterable, Sendable {
        /// It is the app's own.
        case app
        /// It is the one that was made the default of all apps.
        case `default`
        /// It is the one that holds where nobody ever made another.
        case builtIn
    }

    /// The event that brought it into force.
    package struct Decision: Equatable, Sendable {
        /// What its successor has to name; `nil` in a dry run.
        package let position: Position?
        package let by: PrincipalID
        package let since: Instant
        package let reason: Reason?

        package init(position: Position?, by: PrincipalID, since: Instant, reason: Reason?) {
            self.position = position
            self.by = by
            self.since = since
            self.reason = reason
        }
    }

    package init(
        app: AppSlug?,
        source: Source,
        decision: Decision?,
        policy: Policy,
        warnings: [String] = []
    ) {
        self.app = app
        self.warnings = warnings
        self.source = source
        self.decision = decision
        self.policy = policy
    }

    /// All of it is null for the built-in one.
    private static let decisionShape = Shape<Decision?>(
        members: [
            .required("position", .nullable(.position)), .required("by", .nullable(.principal)),
            .required("since", .nullable(.instant)), .required("reason", .nullable(.reason)),
        ],
        read: { reader in
            let position = reader.optionalMember("position", .position)
            let by = reader.optionalMember("by", .principal)
            let since = reader.optionalMember("since", .instant)
            let reason = reader.optionalMember("reason", .reason)
            guard let by, let since else { return .some(nil) }
            return Decision(position: position, by: by, since: since, reason: reason)
        },
        write: { decision, json in
            json["position"] = JSONValue(decision?.position)
            json["by"] = JSONValue(decision?.by.text)
            json["since"] = JSONValue(decision?.since)
            json["reason"] = JSONValue(decision?.reason?.text)
        }
    )

    private var sentences: [String] { policy.clauses().map(\.sentence) }

    package static let shape = Shape<Self>(
        "PolicyInForce",
        Self.init(app:source:decision:policy:warnings:),
        .nullable("app", \.app, .slug),
        .required("source", \.source, .names),
        .part(\.decision, decisionShape),
        .required("policy", \.policy, .object(Policy.shape)),
        .required("warnings", \.warnings, .array(of: .string))
    )
    .telling(
        .required("sentences", \.sentences, .array(of: .string))
    )
    .withDryRun

    /// The position that whoever changes it has to name: 0 for the built-in one.
    package var seen: Position { decision?.position ?? .start }
}

/// The body of `PUT /v1/policy` and of `PUT /v1/apps/{app}/policy`, and what a file says: the members
/// of the policy, and why.
package struct PolicyForm: Form, Shaped {
    package let policy: Policy
    package let reason: Reason?

    package init(policy: Policy, reason: Reason? = nil) {
        self.policy = policy
        self.reason = reason
    }

    package static let shape = Shape<Self>(
        "PolicyOrder",
        Self.init(policy:reason:),
        .part(\.policy, Policy.shape),
        .optional("reason", \.reason, .reason)
    )
}

extension PolicyGap {
    /// What nobody can give, people called by their names.
    package func sentence(naming name: (PrincipalID) -> String = \.text) -> String {
        switch self {
        case .approvals(let kinds, let requirement, let have):
            let subjects = kinds.map(\.subject).joined(separator: ", ")
            let enough = have == 0 ? "nobody can give one" : "only \(have) can be given"
            let verb = requirement.count == 1 ? "is" : "are"
            return "\(subjects): \(requirement.words(naming: name)) \(verb) needed, and \(enough)."
        case .override(let check, let role):
            return "Nobody has the role \(role.rawValue), to override the check \(check.rawValue)."
        case .review(let role):
            return "Nobody has the role \(role.rawValue), to close a review."
        case .releases(let rule):
            return "Nobody of \(rule.permitted(naming: name)) is there to register releases."
        case .shares(let rule):
            return "Nobody of \(rule.permitted(naming: name)) is there to count devices."
        }
    }
}
