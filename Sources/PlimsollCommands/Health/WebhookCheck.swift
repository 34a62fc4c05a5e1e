import PlimsollAPI
import PlimsollDomain

/// Looks whether everybody who wants to be told what happens is told.
struct WebhookCheck {
    let client: AdminClient

    /// How far one has come may be written down a minute late.
    private static let patience: Duration = .seconds(300)

    func findings(now: Instant) async -> [Finding] {
        do throws(AdminError) {
            let webhooks = try await client.call(Endpoints.listWebhooks).webhooks
            var next: [WebhookID: EventAnswer] = [:]
            for webhook in webhooks {
                // At the end of the record there is none, and of what may not be seen nothing is said.
                next[webhook.id] = try? await client.call(Endpoints.getEvent, webhook.next)
            }
            return Self.findings(of: webhooks, before: next, now: now)
        } catch {
            return [.bad("webhooks", error, "Look again.")]
        }
    }

    /// Takes the event behind the place where each stands.
    ///
    /// Those that somebody disabled by hand are as they are wanted.
    static func findings(
        of webhooks: [WebhookAnswer],
        before next: [WebhookID: EventAnswer],
        now: Instant
    ) -> [Finding] {
        let bad = webhooks.compactMap { finding(of: $0) ?? waiting($0, next[$0.id], now) }
        guard bad.isEmpty else { return bad }
        return [.good("webhooks", webhooks.isEmpty ? "there is none" : "none is failing")]
    }

    private static func finding(of webhook: WebhookAnswer) -> Finding? {
        let host = webhook.settings.url.host
        if let stop = webhook.stop, stop.by == .system {
            return .bad(
                "webhooks",
                "\(webhook.id) to \(host) was given up at \(stop.since):"
                    + " \(excerpt(stop.cause ?? "", 400))",
                "Have the receiver mended, then: plimsoll webhook enable \(webhook.id)"
            )
        }
        guard webhook.stop == nil, let trouble = webhook.trouble else { return nil }
        return .bad(
            "webhooks",
            "\(webhook.id) to \(host) failed \(trouble.failures) times since \(trouble.since):"
                + " \(excerpt(trouble.cause, 400))",
            "Have the receiver mended, and try it: plimsoll webhook test \(webhook.id)"
        )
    }

    /// Nothing fails where nobody sends.
    private static func waiting(
        _ webhook: WebhookAnswer,
        _ next: EventAnswer?,
        _ now: Instant
    ) -> Finding? {
        guard webhook.stop == nil, let next, next.recordedAt.advanced(by: patience) < now else {
            return nil
        }
        return .bad(
            "webhooks",
            "\(webhook.id) to \(webhook.settings.url.host) waits at event \(next.position), which was"
                + " recorded at \(next.recordedAt)",
            "Where plimsoll_courier_active is 1 at no instance, start one without"
                + " PLIMSOLL_WEBHOOKS_SEND=false; else look again whether it goes on."
        )
    }
}

extension WebhookAnswer {
    /// What it is sent next.
    fileprivate var next: Position { (delivered ?? registered).advanced(by: 1) }
}
