package import PlimsollDomain
package import PlimsollJSON

/// Somebody who can act, as they are listed.
package struct PrincipalAnswer: Answer {
    package let id: PrincipalID
    /// Kept outside the log; `nil` where it was erased.
    package let name: String?
    package let roles: [RoleGrant]
    /// Why they may do nothing at present.
    package let suspension: SuspensionAnswer?

    package init(
        id: PrincipalID,
        name: String?,
        roles: [RoleGrant],
        suspension: SuspensionAnswer? = nil
    ) {
        self.id = id
        self.name = name
        self.roles = roles
        self.suspension = suspension
    }

    package init?(_ reader: inout ObjectReader) {
        let id = reader.principal("id")
        let name = reader.optionalString("name")
        let roles = reader.objects("roles", .ignored, RoleGrant.init)
        let suspension = reader.optionalNested("suspension", SuspensionAnswer.init)
        guard let id, let roles else { return nil }
        self.init(id: id, name: name, roles: roles, suspension: suspension)
    }

    package var json: JSONObject {
        [
            "id": .string(id.text), "name": JSONValue(name), "roles": JSONValue(roles),
            "suspension": suspension.map { .object($0.json) } ?? .null,
        ]
    }
}

/// Who suspended somebody, when and why.
package struct SuspensionAnswer: Answer {
    package let by: PrincipalID
    package let since: Instant
    package let reason: Reason?

    package init(by: PrincipalID, since: Instant, reason: Reason?) {
        (self.by, self.since, self.reason) = (by, since, reason)
    }

    package init?(_ reader: inout ObjectReader) {
        let by = reader.principal("by")
        let since = reader.instant("since")
        let reason = reader.optionalReason("reason")
        guard let by, let since else { return nil }
        self.init(by: by, since: since, reason: reason)
    }

    package var json: JSONObject {
        [
            "by": .string(by.text), "since": JSONValue(since),
            "reason": JSONValue(reason?.text),
        ]
    }
}

/// Where somebody stands after what was done about them: what `suspend`, `resume` and `revoke-role`
/// answer.
package struct PrincipalStandingAnswer: Answer {
    package let principal: PrincipalAnswer
    /// Living tokens of others whose secrets they have seen: they could still come in with those.
    package let tokensOfOthers: [TokenAnswer]

    package init(principal: PrincipalAnswer, tokensOfOthers: [TokenAnswer]) {
        (self.principal, self.tokensOfOthers) = (principal, tokensOfOthers)
    }

    package init?(_ reader: inout ObjectReader) {
        let principal = PrincipalAnswer(&reader)
        let tokens = reader.objects("tokensOfOthers", .ignored, TokenAnswer.init)
        guard let principal, let tokens else { return nil }
        self.init(principal: principal, tokensOfOthers: tokens)
    }

    package var json: JSONObject {
        var json = principal.json
        json["tokensOfOthers"] = JSONValue(tokensOfOthers)
        return json
    }
}

/// Everybody whom the caller may know by name: `GET /v1/principals`.
package struct PrincipalList: Answer {
    package let principals: [PrincipalAnswer]

    package init(principals: [PrincipalAnswer]) { self.principals = principals }

    package init?(_ reader: inout ObjectReader) {
        let principals = reader.objects("principals", .ignored, PrincipalAnswer.init)
        guard let principals else { return nil }
        self.init(principals: principals)
    }

    package var json: JSONObject { ["principals": JSONValue(principals)] }
}
