package import PlimsollDomain
package import PlimsollJSON

/// Somebody who can act, as they are listed.
package struct PrincipalAnswer: Answer {
    package let id: PrincipalID
    /// Kept outside the log; `nil` where it was erased.
    package let name: String?
    package let roles: [RoleGrant]

    package init(id: PrincipalID, name: String?, roles: [RoleGrant]) {
        self.id = id
        self.name = name
        self.roles = roles
    }

    package init?(_ reader: inout ObjectReader) {
        let id = reader.principal("id")
        let name = reader.optionalString("name")
        let roles = reader.objects("roles", .ignored, RoleGrant.init)
        guard let id, let roles else { return nil }
        self.init(id: id, name: name, roles: roles)
    }

    package var json: JSONObject {
        ["id": .string(id.text), "name": JSONValue(name), "roles": JSONValue(roles)]
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
