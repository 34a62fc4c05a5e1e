import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// Who is told what happens, and how that fares.
enum WebhooksScreen {
    static let routes: [Route] = [
        .page("/webhooks", page),
        .act("/webhooks", on: page, isSensitive: true) { visit in
            let made = try await visit.rest.call(
                Endpoints.registerWebhook,
                try visit.webhookForm,
                visit.write
            )
            return .page(secretPage(of: made, visit))
        },
    ]

    static func page(_ visit: Visit) async throws -> Page {
        let webhooks = try await visit.rest.call(Endpoints.listWebhooks).webhooks
        let names = try await visit.names()
        let apps = try await visit.rest.call(Endpoints.listApps).apps
        return Page(
            "webhooks",
            visit.language["webhooks.title"],
            [
                "webhooks": webhooks.map { visit.fields(of: $0, names) },
                "isEmpty": webhooks.isEmpty,
                "apps": apps.filter { visit.offers.has(.admin, in: .app($0.slug)) }.map { app in
                    ["slug": app.slug.text, "isChosen": app.slug.text == visit.form["app"]]
                },
                "formats": WebhookFormat.allCases.map { format in
                    [
                        "value": format.rawValue,
                        "label": visit.language["webhooks.format.\(format.rawValue)"],
                        "isChosen": format.rawValue == visit.form["format"],
                    ]
                },
                "typedURL": visit.form["url"], "typedTypes": visit.form["types"],
                "types": EventBody.types, "wantsGroups": visit.form["grouped"] != nil,
                "wantsNames": visit.form["names"] != nil,
            ]
        )
    }

    /// The only page that ever shows the secret.
    static func secretPage(of made: SecretWebhookAnswer, _ visit: Visit) -> Page {
        Page(
            "webhook-secret",
            visit.language["webhooks.secret"],
            [
                "secret": made.secret, "id": made.webhook.id.text,
                "url": made.webhook.settings.url.text,
                "previousUntil": visit.time(made.webhook.previousSecretUntil),
            ]
        )
    }
}

extension Visit {
    fileprivate var webhookForm: WebhookForm {
        get throws {
            let types = (form["types"] ?? "").split { $0 == "," || $0.isWhitespace }
            return try read(
                WebhookForm.self,
                [
                    "url": .string(try needed("url") { $0 }), "app": JSONValue(form["app"]),
                    "types": .array(types.map { .string(String($0)) }),
                    "format": JSONValue(form["format"]),
                    "grouped": .bool(form["grouped"] != nil),
                    "names": .bool(form["names"] != nil),
                ]
            )
        }
    }

    func fields(of webhook: WebhookAnswer, _ names: Names) -> Fields {
        let settings = webhook.settings
        let types = settings.types.map(\.text).joined(separator: ", ")
        return Fields(all: [
            "id": webhook.id.text, "url": settings.url.text,
            "place": settings.scope.app?.text ?? language["people.everywhere"],
            "types": types.isEmpty ? language["webhooks.allTypes"] : types,
            "format": language["webhooks.format.\(settings.format.rawValue)"],
            "isGrouped": settings.isGrouped, "tellsNames": settings.tellsNames,
            "isEnabled": webhook.state == .enabled && webhook.trouble == nil,
            "isFailing": webhook.state == .enabled && webhook.trouble != nil,
            "isDisabled": webhook.state == .disabled,
            "delivered": webhook.delivered?.description,
            "registered": webhook.registered.description,
            "stop": webhook.stop.map { stop in
                Fields(all: [
                    "by": names(stop.by), "since": time(stop.since), "cause": stop.cause,
                ])
            },
            "trouble": webhook.trouble.map { trouble in
                Fields(all: [
                    "failures": trouble.failures, "since": time(trouble.since),
                    "cause": trouble.cause,
                    "next": time(webhook.stop == nil ? trouble.nextAttempt : nil),
                ])
            },
            "previousUntil": time(webhook.previousSecretUntil),
        ])
    }
}
