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

/// What somebody is told about themselves: `GET /v1/me`.
package struct IdentityAnswer: Answer {
    package let principal: PrincipalID
    /// Kept outside the log; `nil` where it was erased.
    package let name: String?
    package let roles: [RoleGrant]
    /// The token that was shown, and when it ends.
    package let token: TokenID?
    package let expiresAt: Instant?

    package init(
        principal: PrincipalID,
        name: String?,
        roles: [RoleGrant],
        token: TokenID?,
        expiresAt: Instant?
    ) {
        self.principal = principal
        self.name = name
        self.roles = roles
        self.token = token
        self.expiresAt = expiresAt
    }

    package init?(_ reader: inout ObjectReader) {
        let principal = reader.principal("principal")
        let name = reader.optionalString("name")
        let roles = reader.objects("roles", .ignored, RoleGrant.init)
        let token = reader.optionalString("token", needing: "a token's id", TokenID.init)
        let expiresAt = reader.optionalInstant("expiresAt")
        guard let principal, let roles else { return nil }
        self.init(
            principal: principal,
            name: name,
            roles: roles,
            token: token,
            expiresAt: expiresAt
        )
    }

    package var json: JSONObject {
        [
            "principal": .string(principal.text),
            "name": JSONValue(name),
            "roles": JSONValue(roles),
            "token": JSONValue(token?.description),
            "expiresAt": JSONValue(expiresAt),
        ]
    }
}

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

/// `{"app": "harbour", "role": "proposer"}`; without `app` the role holds for all apps.
extension RoleGrant: Form {
    package init?(_ reader: inout ObjectReader) {
        let role = reader.name("role", as: Role.self)
        let app = reader.optionalString("app", needing: AppSlug.grammar, AppSlug.init)
        guard let role else { return nil }
        self.init(role, in: app.map(Scope.app) ?? .all)
    }

    package var json: JSONObject {
        var json: JSONObject = ["role": .string(role.rawValue)]
        if case .app(let slug) = scope { json["app"] = .string(slug.text) }
        return json
    }
}

/// A token as it is listed: never with its secret.
package struct TokenAnswer: Answer {
    package let id: TokenID
    package let principal: PrincipalID
    /// Kept outside the log; `nil` where it was erased.
    package let name: String?
    package let roles: [RoleGrant]
    package let expiresAt: Instant?

    package init(
        id: TokenID,
        principal: PrincipalID,
        name: String?,
        roles: [RoleGrant],
        expiresAt: Instant?
    ) {
        self.id = id
        self.principal = principal
        self.name = name
        self.roles = roles
        self.expiresAt = expiresAt
    }

    package init?(_ reader: inout ObjectReader) {
        let id = reader.string("id", needing: "a token's id", TokenID.init)
        let principal = reader.principal("principal")
        let name = reader.optionalString("name")
        let roles = reader.objects("roles", .ignored, RoleGrant.init)
        let expiresAt = reader.optionalInstant("expiresAt")
        guard let id, let principal, let roles else { return nil }
        self.init(id: id, principal: principal, name: name, roles: roles, expiresAt: expiresAt)
    }

    package var json: JSONObject {
        [
            "id": .string(id.description),
            "principal": .string(principal.text),
            "name": JSONValue(name),
            "roles": JSONValue(roles),
            "expiresAt": JSONValue(expiresAt),
        ]
    }
}

/// A new token with its secret, which is shown this once.
package struct IssuedTokenAnswer: Answer {
    package let token: TokenAnswer
    /// `plm_` and 64 hexadecimal digits; `nil` where the token was only tried, or asked for again
    /// with the same idempotency key.
    package let secret: String?

    package init(token: TokenAnswer, secret: String?) {
        self.token = token
        self.secret = secret
    }

    package init?(_ reader: inout ObjectReader) {
        let token = TokenAnswer(&reader)
        let secret = reader.optionalString("token")
        guard let token else { return nil }
        self.init(token: token, secret: secret)
    }

    package var json: JSONObject {
        var json = token.json
        json["token"] = JSONValue(secret)
        return json
    }
}

/// Every token that was not revoked and that the caller may see.
package struct TokenList: Answer {
    package let tokens: [TokenAnswer]

    package init(tokens: [TokenAnswer]) { self.tokens = tokens }

    package init?(_ reader: inout ObjectReader) {
        guard let tokens = reader.objects("tokens", .ignored, TokenAnswer.init) else {
            return nil
        }
        self.init(tokens: tokens)
    }

    package var json: JSONObject { ["tokens": JSONValue(tokens)] }
}

/// The body of `POST /v1/tokens`.
///
/// ```json
/// {"name": "alice", "roles": [{"app": "harbour", "role": "proposer"}, {"role": "viewer"}]}
/// ```
/// `name` makes a new principal, `principal` names a known one; one of the two is needed.
package struct TokenForm: Form {
    package let name: Title?
    package let principal: PrincipalID?
    package let roles: [RoleGrant]
    package let expiresAt: Instant?

    package init(
        name: Title?,
        principal: PrincipalID? = nil,
        roles: [RoleGrant],
        expiresAt: Instant? = nil
    ) {
        self.name = name
        self.principal = principal
        self.roles = roles
        self.expiresAt = expiresAt
    }

    package init?(_ reader: inout ObjectReader) {
        let name = reader.optionalTitle("name")
        let principal = reader.optionalPrincipal("principal")
        let roles = reader.objects("roles", .refused, RoleGrant.init)
        let expiresAt = reader.optionalInstant("expiresAt")
        guard let roles else { return nil }
        if name == nil, principal == nil, reader.isAbsent("name"), reader.isAbsent("principal") {
            reader.refuse("name", "A name is needed, or the id of a known principal.")
        }
        if name != nil, principal != nil {
            reader.refuse("name", "A known principal keeps its name; leave it out.")
        }
        self.init(name: name, principal: principal, roles: roles, expiresAt: expiresAt)
    }

    package var json: JSONObject {
        [
            "name": JSONValue(name?.text),
            "principal": JSONValue(principal?.text),
            "roles": JSONValue(roles),
            "expiresAt": JSONValue(expiresAt),
        ]
    }
}

extension ObjectReader {
    /// Whether a member is missing or null.
    fileprivate func isAbsent(_ key: String) -> Bool {
        object[key].map { $0 == .null } ?? true
    }
}
