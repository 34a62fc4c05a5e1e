import PlimsollAPI
import PlimsollDomain

/// Looks whether everybody who wants to be told what happens is told.
struct WebhookCheck {
    let client: AdminClient

    func findings() async -> [Finding] {
        do throws(AdminError) {
            return Self.findings(of: try await client.webhooks().webhooks)
        } catch {
            return [.bad("webhooks", error, "Look again.")]
        }
    }

    /// Those that somebody disabled by hand are as they are wanted.
    static func findings(of webhooks: [WebhookAnswer]) -> [Finding] {
        let bad = webhooks.compactMap(finding)
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
}
