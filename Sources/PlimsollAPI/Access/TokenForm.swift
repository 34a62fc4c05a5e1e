package import PlimsollDomain
package import PlimsollJSON

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
