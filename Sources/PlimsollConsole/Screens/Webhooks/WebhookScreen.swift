import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// A webhook: how far it has come, what keeps it, what was sent, and how it is looked after.
enum WebhookScreen {
    static let routes: [Route] =
        [.page("/webhooks/:webhook") { try await page($0) }]
        + act("enable") { visit, id in
            let form = ReasonForm(reason: try visit.reasonIfAny)
            _ = try await visit.rest.call(Endpoints.enableWebhook, id, form, visit.write)
            return .moved(to: "/webhooks/\(id)?done=webhook-enable")
        }
        + act("disable") { visit, id in
            let form = ReasonForm(reason: try visit.reasonIfAny)
            _ = try await visit.rest.call(Endpoints.disableWebhook, id, form, visit.write)
            return .moved(to: "/webhooks/\(id)?done=webhook-disable")
        }
        + act("rotate") { visit, id in
            let made = try await visit.rest.call(
                Endpoints.rotateWebhookSecret,
                id,
                EmptyForm(),
                visit.write
            )
            return .page(WebhooksScreen.secretPage(of: made, visit))
        }
        + act("replay") { visit, id in
            let form = ReplayForm(
                since: try visit.needed("since", Position.init(typed:)),
                until: try visit.optional("replayUntil", Position.init(typed:))
            )
            _ = try await visit.rest.call(Endpoints.replayToWebhook, id, form, visit.write)
            return .moved(to: "/webhooks/\(id)?done=webhook-replay")
        }
        + act("remove") { visit, id in
            _ = try visit.needed("sure") { $0 }
            let form = ReasonForm(reason: try visit.reasonIfAny)
            try await visit.rest.call(Endpoints.removeWebhook, id, form, visit.write)
            return .moved(to: "/webhooks?done=webhook-remove")
        }
        + act("test") { visit, id in
            let delivery = try await visit.rest.call(
                Endpoints.testWebhook,
                id,
                EmptyForm(),
                visit.write
            )
            return .page(try await page(visit, tested: delivery))
        }

    private static func act(
        _ name: String,
        _ act: @escaping @Sendable (Visit, WebhookID) async throws -> Effect
    ) -> [Route] {
        [
            .act("/webhooks/:webhook/\(name)", on: { try await page($0) }, isSensitive: true) {
                visit in
                try await act(visit, try visit.webhook)
            }
        ]
    }

    private static func page(_ visit: Visit, tested: DeliveryAnswer? = nil) async throws -> Page {
        let webhook = try await visit.rest.call(Endpoints.getWebhook, try visit.webhook)
        let list = try await visit.rest.call(
            Endpoints.listDeliveries,
            webhook.id,
            PageOptions(limit: 50, after: visit.query["cursor"]).query
        )
        var page = Page(
            "webhook",
            visit.language("webhooks.to", ["host": webhook.settings.url.host])
        )
        page.fields = visit.fields(of: webhook, try await visit.names())
        let more = Fields(all: [
            "tested": tested.map { visit.fields(of: $0) },
            "deliveries": list.deliveries.map { visit.fields(of: $0) },
            "hasNone": list.deliveries.isEmpty,
            "next": list.next.map { cursor in
                "/webhooks/\(webhook.id)?\(FormFields([("cursor", cursor)]).encoded)"
            },
            "typedSince": visit.form["since"], "typedUntil": visit.form["replayUntil"],
            "reason": visit.reasonTyped(to: "enable") ?? visit.reasonTyped(to: "disable"),
            "removal": visit.reasonTyped(to: "remove"),
        ])
        page.fields["may"] = visit.offers.fields(in: webhook.settings.scope)
        page.fields.merge(more) { $1 }
        return page
    }
}

extension Visit {
    fileprivate var webhook: WebhookID { get throws { try parameter("webhook", WebhookID.init) } }

    fileprivate func fields(of delivery: DeliveryAnswer) -> Fields {
        Fields(all: [
            "kind": language["webhooks.delivery.\(delivery.kind.rawValue)"],
            "message": delivery.message, "event": delivery.position?.description,
            "at": time(delivery.attemptedAt), "milliseconds": delivery.milliseconds,
            "status": delivery.status, "failure": delivery.failure,
            "isDelivered": delivery.failure == nil,
        ])
    }
}
