package import PlimsollDomain
package import PlimsollJSON

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
extension Policy: Form {
    package init?(_ reader: inout ObjectReader) {
        let rules = reader.object("rules", Self.rules)
        let emergency = reader.optionalObject("emergencyReview", ReviewRule.init)
        let rollback = reader.optionalObject("rollbackReview", ReviewRule.init)
        let grace = reader.optionalInteger("graceSeconds")
        let checks = reader.optionalObject("checks", Self.checks)
        let store = reader.optionalInteger("storeSeconds")
        let percent = reader.optionalInteger("blockedPercentMaximum")
        let releases = reader.optionalObject("releases", FactRule.init)
        let shares = reader.optionalObject("shares", FactRule.init)
        guard let rules else { return nil }
        self.init(
            rules: Policy.builtIn.rules.merging(rules) { $1 },
            emergencyReview: emergency ?? Policy.builtIn.emergencyReview,
            rollbackReview: rollback,
            graceSeconds: grace ?? Policy.builtIn.graceSeconds,
            checks: checks ?? [:],
            storeSeconds: store ?? Policy.builtIn.storeSeconds,
            blockedPercentMaximum: percent,
            releases: releases ?? .usual,
            shares: shares ?? .usual
        )
    }

    private static func checks(_ reader: inout ObjectReader) -> [CheckName: CheckRule]? {
        var checks: [CheckName: CheckRule] = [:]
        for check in CheckName.allCases {
            checks[check] = reader.optionalObject(check.rawValue, CheckRule.init)
        }
        return checks
    }

    private static func rules(
        _ reader: inout ObjectReader
    ) -> [ChangeKind: ApprovalRule]? {
        var rules: [ChangeKind: ApprovalRule] = [:]
        for kind in ChangeKind.allCases {
            rules[kind] = reader.optionalObject(kind.rawValue, ApprovalRule.init)
        }
        return rules
    }

    package var json: JSONObject {
        var rules: JSONObject = [:]
        for (kind, rule) in self.rules { rules[kind.rawValue] = .object(rule.json) }
        var checks: JSONObject = [:]
        for (check, rule) in self.checks { checks[check.rawValue] = .object(rule.json) }
        return [
            "rules": .object(rules),
            "emergencyReview": .object(emergencyReview.json),
            "rollbackReview": rollbackReview.map { .object($0.json) } ?? .null,
            "graceSeconds": .integer(graceSeconds),
            "checks": .object(checks),
            "storeSeconds": .integer(storeSeconds),
            "blockedPercentMaximum": blockedPercentMaximum.map(JSONValue.integer) ?? .null,
            "releases": .object(releases.json),
            "shares": .object(shares.json),
        ]
    }
}

extension ApprovalRule {
    fileprivate init?(_ reader: inout ObjectReader) {
        let requirements = reader.objects("approvals") { ApprovalRequirement(&$0) }
        let validSeconds = reader.optionalInteger("validSeconds")
        guard let requirements else { return nil }
        self.init(requirements: requirements, validSeconds: validSeconds)
    }

    fileprivate var json: JSONObject {
        [
            "approvals": .array(requirements.map { .object($0.json) }),
            "validSeconds": validSeconds.map(JSONValue.integer) ?? .null,
        ]
    }
}

extension ApprovalRequirement {
    init?(_ reader: inout ObjectReader) {
        let count = reader.integer("count")
        let role = reader.role()
        let people = reader.optionalStrings(
            "people",
            needing: "a principal's id",
            PrincipalID.init
        )
        guard let count, let role else { return nil }
        self.init(Int(clamping: count), of: role, people: people ?? [])
    }

    package var json: JSONObject {
        [
            "count": .integer(Int64(count)),
            "role": .string(role.rawValue),
            "people": .array(people.map { .string($0.text) }),
        ]
    }
}

extension FactRule {
    fileprivate init?(_ reader: inout ObjectReader) {
        let roles = reader.strings("roles", needing: oneOf(Role.self), Role.init(rawValue:))
        let people = reader.optionalStrings(
            "people",
            needing: "a principal's id",
            PrincipalID.init
        )
        guard let roles else { return nil }
        self.init(roles: roles, people: people ?? [])
    }

    fileprivate var json: JSONObject {
        [
            "roles": .array(roles.map { .string($0.rawValue) }),
            "people": .array(people.map { .string($0.text) }),
        ]
    }
}

extension CheckRule {
    fileprivate init?(_ reader: inout ObjectReader) {
        let severity = reader.name("severity", as: Severity.self)
        let role = reader.optionalString(
            "overridableBy",
            needing: oneOf(Role.self),
            Role.init(rawValue:)
        )
        guard let severity else { return nil }
        self.init(severity, overridableBy: role)
    }

    fileprivate var json: JSONObject {
        [
            "severity": .string(severity.rawValue),
            "overridableBy": JSONValue(overridableBy?.rawValue),
        ]
    }
}

extension ReviewRule {
    fileprivate init?(_ reader: inout ObjectReader) {
        let role = reader.role()
        let seconds = reader.integer("withinSeconds")
        guard let role, let seconds else { return nil }
        self.init(role: role, withinSeconds: seconds)
    }

    fileprivate var json: JSONObject {
        ["role": .string(role.rawValue), "withinSeconds": .integer(withinSeconds)]
    }
}

extension ObjectReader {
    fileprivate mutating func role() -> Role? {
        string("role", needing: oneOf(Role.self), Role.init(rawValue:))
    }
}

extension ReviewOrder {
    var json: JSONObject {
        [
            "owner": .string(owner.text), "role": .string(role.rawValue),
            "due": JSONValue(due),
        ]
    }
}

extension ReviewVerdict {
    /// The verdict, and the position that names the review.
    func json(of review: Position) -> JSONObject {
        [
            "review": JSONValue(review), "outcome": .string(outcome.rawValue),
            "comment": JSONValue(comment?.text),
        ]
    }
}
