import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// A signing key: its life, what signs without it, and how it is brought on.
enum KeyScreen {
    static let eventTypes = ["KeyAdded", "KeyActivated", "KeyRetired", "KeyCompromised"]

    static let routes: [Route] = [
        .page("/keys/:key") { try await page($0) },
        .act("/keys/:key/activate", on: { try await page($0) }, isSensitive: true) { visit in
            try await turn(visit, Endpoints.activateKey, reason: "activationReason")
            return .moved(to: "/keys/\(try visit.key)?done=key-activate")
        },
        .act("/keys/:key/retire", on: { try await page($0) }, isSensitive: true) { visit in
            try await requireName(visit, "retiredApp")
            try await turn(visit, Endpoints.retireKey, reason: "retirementReason")
            return .moved(to: "/keys/\(try visit.key)?done=key-retire")
        },
        .act("/keys/:key/drill", on: { try await page($0) }, isSensitive: true) { visit in
            _ = try await compromise(visit, visit.write.dryRun())
            return .page(try await page(visit, isDrilled: true))
        },
        .act("/keys/:key/compromise", on: { try await page($0) }, isSensitive: true) { visit in
            try await requireName(visit, "compromisedApp")
            _ = try await compromise(visit, visit.write)
            return .moved(to: "/keys/\(try visit.key)?done=key-compromise")
        },
    ]

    /// Brings the key on from where the page showed it.
    private static func turn(
        _ visit: Visit,
        _ endpoint: Endpoint<KeyID, SeenKey, ReasonForm, KeyAnswer>,
        reason name: String
    ) async throws {
        let form = ReasonForm(reason: try visit.optional(name, Reason.init(validating:)))
        let seen = try visit.seen
        _ = try await visit.rest.call(endpoint, try visit.key, seen: seen, form, visit.write)
    }

    private static func compromise(
        _ visit: Visit,
        _ write: WriteOptions
    ) async throws -> KeyAnswer {
        let form = MandatoryReasonForm(reason: try visit.reason("compromiseReason"))
        return try await visit.rest.call(Endpoints.compromiseKey, try visit.key, form, write)
    }

    /// A name cannot be agreed to by habit.
    private static func requireName(_ visit: Visit, _ field: String) async throws {
        let key = try await visit.rest.call(Endpoints.getKey, try visit.key)
        _ = try visit.needed(field) { $0 == key.app.text ? $0 : nil }
    }

    private static func page(_ visit: Visit, isDrilled: Bool = false) async throws -> Page {
        let key = try await visit.rest.call(Endpoints.getKey, try visit.key)
        let (names, origins) = (try await visit.names(), try await visit.origins(eventTypes))
        let others = try await visit.rest.call(Endpoints.listKeys).keys.filter {
            $0.app == key.app && $0.state == .active && $0.id != key.id
        }
        var page = Page("key", visit.language("keys.of", ["app": key.app]))
        page.fields = visit.row(of: key, origins, names)
        let life = origins.filter { $0.body.data["id"]?.string == key.id.text }
        let more = Fields(all: [
            "publicKey": key.publicKey, "isDrilled": isDrilled,
            "mayBeActivated": key.state == .added || key.state == .retired,
            "mayBeCompromised": key.state != .compromised,
            "others": others.map(\.id.text), "isAlone": others.isEmpty,
            "life": life.map { event in
                var fields = visit.fields(of: event, names)
                fields["what"] = visit.language["keys.event.\(event.body.type)"]
                return fields
            },
            "hasLife": !life.isEmpty, "compromiseReason": visit.form["compromiseReason"],
            "activationReason": visit.form["activationReason"],
            "retirementReason": visit.form["retirementReason"],
        ])
        page.fields["may"] = visit.offers.fields(in: .app(key.app))
        page.fields.merge(more) { $1 }
        return page
    }
}

extension Visit {
    fileprivate var key: KeyID { get throws { try parameter("key", KeyID.init) } }
}
