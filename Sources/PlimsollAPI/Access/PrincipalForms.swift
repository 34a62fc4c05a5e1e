package import PlimsollDomain
package import PlimsollJSON

/// The body of `POST /v1/principals/{principal}/suspend`: nobody is suspended without a reason.
package struct SuspensionForm: Form {
    package let reason: Reason

    package init(reason: Reason) { self.reason = reason }

    package init?(_ reader: inout ObjectReader) {
        guard let reason = reader.reason("reason") else { return nil }
        self.init(reason: reason)
    }

    package var json: JSONObject { ["reason": .string(reason.text)] }
}

/// The body of `POST /v1/principals/{principal}/revoke-role`: the role, where it holds, and why.
package struct RoleRevocationForm: Form {
    package let grant: RoleGrant
    package let reason: Reason?

    package init(_ grant: RoleGrant, reason: Reason? = nil) {
        (self.grant, self.reason) = (grant, reason)
    }

    package init?(_ reader: inout ObjectReader) {
        let grant = RoleGrant(&reader)
        let reason = reader.optionalReason("reason")
        guard let grant else { return nil }
        self.init(grant, reason: reason)
    }

    package var json: JSONObject {
        var json = grant.json
        json["reason"] = JSONValue(reason?.text)
        return json
    }
}

/// The body of `POST /v1/tokens/renew`: when the new token is to end; an empty one leaves it at as
/// long a life as the old one was to have.
package struct RenewalForm: Form {
    package let expiresAt: Instant?

    package init(expiresAt: Instant? = nil) { self.expiresAt = expiresAt }

    package init?(_ reader: inout ObjectReader) {
        self.init(expiresAt: reader.optionalInstant("expiresAt"))
    }

    package var json: JSONObject { ["expiresAt": JSONValue(expiresAt)] }
}
