import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// How an app is registered.
enum RegistrationScreen {
    static let routes: [Route] = [
        .page("/apps/new", page),
        .act("/apps/new", on: page) { visit in
            let app = try await visit.rest.call(
                Endpoints.registerApp,
                try visit.registrationForm,
                visit.write
            )
            return .moved(to: "/apps/\(app.slug)/settings?done=app-register")
        },
    ]

    static func page(_ visit: Visit) async throws -> Page {
        var page = Page("registration", visit.language["registration.title"])
        page.fields = visit.inputs(of: nil)
        let more = Fields(all: [
            "slug": visit.form["slug"], "isDefault": visit.form["default"] != nil,
        ])
        page.fields.merge(more) { $1 }
        return page
    }
}

extension Visit {
    fileprivate var registrationForm: RegistrationForm {
        get throws {
            var json = try settingsJSON
            json["slug"] = .string(try needed("slug") { $0 })
            if form["default"] != nil { json["default"] = .bool(true) }
            return try read(RegistrationForm.self, json)
        }
    }
}
