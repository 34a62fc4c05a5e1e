import PlimsollDomain
import PlimsollJSON

extension Policy {
    /// What ``DataReader/policy(_:)`` reads.
    var data: JSONObject {
        var rules: JSONObject = [:]
        for (kind, rule) in self.rules { rules[kind.rawValue] = .object(rule.data) }
        var data: JSONObject = [
            "emergencyReview": .object(emergencyReview.data),
            "graceSeconds": .integer(graceSeconds),
            "releases": .object(releases.data),
            "rules": .object(rules),
            "shares": .object(shares.data),
            "storeSeconds": .integer(storeSeconds),
        ]
        data["blockedPercentMaximum"] = blockedPercentMaximum.map { .integer($0) }
        data["rollbackReview"] = rollbackReview.map { .object($0.data) }
        guard !checks.isEmpty else { return data }
        var checks: JSONObject = [:]
        for (name, rule) in self.checks { checks[name.rawValue] = .object(rule.data) }
        data["checks"] = .object(checks)
        return data
    }
}

extension FactRule {
    fileprivate var data: JSONObject {
        [
            "people": .array(people.map { .string($0.text) }),
            "roles": .array(roles.map { .string($0.rawValue) }),
        ]
    }
}

extension CheckRule {
    fileprivate var data: JSONObject {
        var data: JSONObject = ["severity": .string(severity.rawValue)]
        data["overridableBy"] = overridableBy.map { .string($0.rawValue) }
        return data
    }
}

extension ApprovalRule {
    fileprivate var data: JSONObject {
        var data: JSONObject = ["approvals": .array(requirements.map { .object($0.data) })]
        data["validSeconds"] = validSeconds.map { .integer($0) }
        return data
    }
}

extension ApprovalRequirement {
    fileprivate var data: JSONObject {
        [
            "count": .integer(Int64(count)),
            "people": .array(people.map { .string($0.text) }),
            "role": .string(role.rawValue),
        ]
    }
}

extension ReviewRule {
    fileprivate var data: JSONObject {
        ["role": .string(role.rawValue), "withinSeconds": .integer(withinSeconds)]
    }
}

extension ReviewOrder {
    var data: JSONObject {
        [
            "due": .string(due.rfc3339), "owner": .string(owner.text),
            "role": .string(role.rawValue),
        ]
    }
}

extension ReviewVerdict {
    /// The verdict, and the position that names the review.
    func data(of review: Position) -> JSONObject {
        var data: JSONObject = [
            "outcome": .string(outcome.rawValue), "review": .integer(review.rawValue),
        ]
        data["comment"] = comment.map { .string($0.text) }
        return data
    }
}

extension Emergency {
    var data: JSONObject {
        var data = review.data
        data["incident"] = .string(incident.text)
        return data
    }
}

extension FreezePlanEvent {
    var data: JSONObject {
        switch self {
        case .planned(let window):
            [
                "from": .string(window.from.rfc3339),
                "timeZone": .string(window.timeZone.text),
                "until": .string(window.until.rfc3339),
            ]
        case .cancelled(let plan), .started(let plan), .ended(let plan):
            ["plan": .integer(plan.rawValue)]
        }
    }
}

extension Schedule {
    var data: JSONObject {
        var data: JSONObject = ["timeZone": .string(timeZone.text)]
        data["at"] = at.map { .string($0.rfc3339) }
        data["until"] = until.map { .string($0.rfc3339) }
        return data
    }
}
