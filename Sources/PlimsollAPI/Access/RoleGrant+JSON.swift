package import PlimsollDomain
package import PlimsollJSON

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
