package import PlimsollDomain
import PlimsollJSON

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
    func words(naming name: (PrincipalID) -> String) -> String {
        let approvals = count == 1 ? "1 approval" : "\(count) approvals"
        guard !people.isEmpty else {
            return "\(approvals) by people in the role \(role.rawValue)"
        }
        let names = people.map(name).joined(separator: ", ")
        return "\(approvals) of \(names) in the role \(role.rawValue)"
    }

    package static let shape = Shape<Self>(
        nil,
        Self.init(_:of:people:),
        .required("count", \.count, .count(from: 1, to: countMaximum)),
        .required("role", \.role, .names),
        .usual("people", \.people, .array(of: .principal), [])
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
