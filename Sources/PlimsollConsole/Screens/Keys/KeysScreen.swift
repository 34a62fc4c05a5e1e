import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// What signs each app's documents, and what authenticates the entries of the log.
enum KeysScreen {
    static let routes: [Route] = [
        .page("/keys", page),
        .act("/keys/add", on: page, isSensitive: true) { visit in
            let app = try visit.needed("app", AppSlug.init)
            let key = try await visit.rest.call(
                Endpoints.addKey,
                app,
                try visit.keyForm,
                visit.write
            )
            return .moved(to: "/keys/\(key.id)?done=key-add")
        },
        .act("/keys/entries/add", on: page, isSensitive: true) { visit in
            let form = ReasonForm(
                reason: try visit.optional("entryReason", Reason.init(validating:))
            )
            _ = try await visit.rest.call(Endpoints.addEntryKey, form, visit.write)
            return .moved(to: "/keys?done=entry-key-add")
        },
        .act("/keys/entries/:entryKey/retire", on: page, isSensitive: true) { visit in
            let id = try visit.parameter("entryKey", EntryKeyID.init)
            _ = try await visit.rest.call(
                Endpoints.retireEntryKey,
                id,
                ReasonForm(),
                visit.write
            )
            return .moved(to: "/keys?done=entry-key-retire")
        },
    ]

    static func page(_ visit: Visit) async throws -> Page {
        let keys = try await visit.rest.call(Endpoints.listKeys).keys
        let (names, origins) = (
            try await visit.names(), try await visit.origins(KeyScreen.eventTypes)
        )
        let apps = try await visit.rest.call(Endpoints.listApps).apps
        let entryKeys = try await visit.entryKeys()
        return Page(
            "keys",
            visit.language["keys.title"],
            [
                "apps": apps.map { app in
                    let own = keys.filter { $0.app == app.slug }
                    return Fields(all: [
                        "slug": app.slug.text, "name": app.settings.name.text,
                        "isTyped": app.slug.text == visit.form["app"],
                        "isAdministered": visit.offers.has(.admin, in: .app(app.slug)),
                        "keys": own.map { visit.row(of: $0, origins, names) },
                        "isUnsigned": !own.contains { $0.state == .active },
                    ])
                },
                "isEmpty": apps.isEmpty,
                "entryKeys": entryKeys.map { keys in keys.map { visit.fields(of: $0) } },
                "keyID": visit.form["keyID"], "environment": visit.form["environment"],
                "keyService": visit.form["keyService"], "reason": visit.form["reason"],
                "entryReason": visit.form["entryReason"],
            ]
        )
    }
}

extension Visit {
    /// Where the private half is, as somebody who adds a key says it.
    fileprivate var keyForm: KeyForm {
        get throws {
            try read(
                KeyForm.self,
                [
                    "id": JSONValue(form["keyID"]), "environment": JSONValue(form["environment"]),
                    "keyService": JSONValue(form["keyService"]),
                    "reason": JSONValue(form["reason"]),
                ]
            )
        }
    }

    /// The newest first; `nil` for whoever may not see them.
    fileprivate func entryKeys() async throws -> [EntryKeyAnswer]? {
        do throws(AdminError) {
            return try await rest.call(Endpoints.listEntryKeys).keys.reversed()
        } catch {
            guard error.problem?.code == .forbidden else { throw error }
            return nil
        }
    }

    fileprivate func fields(of key: EntryKeyAnswer) -> Fields {
        Fields(all: [
            "id": key.id.text, "added": key.added?.description, "addedAt": time(key.addedAt),
            "retired": key.retired?.description,
        ])
    }

    func row(of key: KeyAnswer, _ origins: [EventAnswer], _ names: Names) -> Fields {
        Fields(all: [
            "id": key.id.text, "app": key.app.text, "seen": key.position?.description,
            "stateName": language["keys.state.\(key.state.rawValue)"],
            "meaning": language["keys.meaning.\(key.state.rawValue)"],
            "isAdded": key.state == .added, "isActive": key.state == .active,
            "isRetired": key.state == .retired, "isCompromised": key.state == .compromised,
            "origin": origins.first { $0.position == key.position }.map { fields(of: $0, names) },
        ])
    }
}
