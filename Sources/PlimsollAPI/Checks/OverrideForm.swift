package import PlimsollDomain
package import PlimsollJSON

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
