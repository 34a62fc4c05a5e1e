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
