package import PlimsollDomain
package import PlimsollJSON

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
