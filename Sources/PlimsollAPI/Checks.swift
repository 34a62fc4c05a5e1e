package import PlimsollDomain
package import PlimsollJSON

/// What a check found in a change, and what follows by the policy.
package struct CheckAnswer: Answer {
    package let finding: CheckFinding
    package let severity: CheckRule.Severity
    package let overridableBy: Role?
    package let overriddenBy: PrincipalID?

    package init(
        finding: CheckFinding,
        severity: CheckRule.Severity = .warn,
        overridableBy: Role? = nil,
        overriddenBy: PrincipalID? = nil
    ) {
        self.finding = finding
        self.severity = severity
        self.overridableBy = overridableBy
        self.overriddenBy = overriddenBy
    }

    package init?(_ reader: inout ObjectReader) {
        let finding = CheckFinding(&reader)
        let severity = reader.name("severity", as: CheckRule.Severity.self)
        let role = reader.optionalString(
            "overridableBy",
            needing: oneOf(Role.self),
            Role.init(rawValue:)
        )
        let overrider = reader.optionalPrincipal("overriddenBy")
        guard let finding, let severity else { return nil }
        self.init(
            finding: finding,
            severity: severity,
            overridableBy: role,
            overriddenBy: overrider
        )
    }

    package var json: JSONObject {
        var json = finding.json
        json["severity"] = .string(severity.rawValue)
        json["overridableBy"] = JSONValue(overridableBy?.rawValue)
        json["overriddenBy"] = JSONValue(overriddenBy?.text)
        return json
    }
}

/// `{"check": "textsEqual", "field": "ios.minimumOS.description.en", "sentence": "…"}`
extension CheckFinding: Answer {
    package init?(_ reader: inout ObjectReader) {
        let check = reader.name("check", as: CheckName.self)
        let field = reader.string("field", needing: Field.grammar, Field.init(path:))
        let sentence = reader.string("sentence")
        guard let check, let field, let sentence else { return nil }
        self.init(check, field, sentence)
    }

    package var json: JSONObject {
        [
            "check": .string(check.rawValue), "field": .string(field.path),
            "sentence": .string(sentence),
        ]
    }
}

/// The body of `POST /v1/changes/{id}/override`: why what a check found is right.
package struct OverrideForm: Form {
    package let check: CheckName
    package let reason: Reason

    package init(check: CheckName, reason: Reason) {
        self.check = check
        self.reason = reason
    }

    package init?(_ reader: inout ObjectReader) {
        let check = reader.name("check", as: CheckName.self)
        let reason = reader.reason("reason")
        guard let check, let reason else { return nil }
        self.init(check: check, reason: reason)
    }

    package var json: JSONObject {
        ["check": .string(check.rawValue), "reason": .string(reason.text)]
    }
}
