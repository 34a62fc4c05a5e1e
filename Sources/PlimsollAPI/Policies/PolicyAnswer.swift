package import PlimsollDomain
import PlimsollJSON

/// The policy that holds for an app, or for every app without one of its own.
package struct PolicyAnswer: Answer, Shaped {
    /// `nil` is every app.
    package let app: AppSlug?
    package let source: Source
    /// `nil` for the built-in one.
    package let decision: Decision?
    package let policy: Policy
    /// What it asks for that nobody can give as things are, as sentences.
    package let warnings: [String]

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
