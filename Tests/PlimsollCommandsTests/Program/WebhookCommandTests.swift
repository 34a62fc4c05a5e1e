import Foundation
import PlimsollAPI
import PlimsollDomain
import Testing

@testable import PlimsollCommands

/// What is said of a webhook that nothing could be delivered to, enabled or not.
struct WebhookCommandTests {
    private func webhook(isDisabled: Bool) throws -> WebhookAnswer {
        let stop = WebhookStop(cause: nil, by: Samples.alice, since: Samples.instant)
        return WebhookAnswer(
            id: WebhookID(UUID()),
            settings: WebhookSettings(
                url: try #require(WebhookURL("https://hooks.example.com/")),
                scope: .all
            ),
            stop: isDisabled ? stop : nil,
            registered: Position(1),
            previousSecretUntil: nil,
            delivered: Position(1),
            trouble: WebhookAnswer.Trouble(
                failures: 3,
                since: Samples.instant,
                nextAttempt: Samples.instant,
                cause: "it answered 500"
            )
        )
    }

    @Test(arguments: [true, false])
    func `a next attempt is told of what is not disabled`(_ isDisabled: Bool) throws {
        let lines = try webhook(isDisabled: isDisabled).lines()
        #expect(lines.contains { $0.hasPrefix("because ") })
        #expect(lines.contains { $0.hasPrefix("next ") } != isDisabled)
    }

    @Test(arguments: [true, false])
    func `a replay to what is disabled waits, and is said to`(_ isDisabled: Bool) async throws {
        let webhook = try webhook(isDisabled: isDisabled)
        let route = "POST /v1/webhooks/\(webhook.id)/replay"
        try await ScriptedService.with([route: [ScriptedService.Reply(webhook)]]) { _, url in
            let command = ["webhook", "replay", webhook.id.text, "--since", "1"]
            let run = try await plimsoll(command, service: url)
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.errors.contains("once the webhook is enabled") == isDisabled)
        }
    }
}
