import Foundation
import HTTPTypes
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import Testing

/// What is said where a secret was made and its answer was lost, against a real HTTP server.
struct LostSecretTests {
    private typealias Reply = ScriptedService.Reply

    // Goal: who has no secret is told so. Method: answers as to a request that the client repeated by
    // itself, and to a dry run, which has none.
    @Test(arguments: [[], ["--quiet"]])
    func `a token without its secret is no success`(_ form: [String]) async throws {
        let script = [
            "POST /v1/tokens/renew": [Reply.issued(secret: nil)],
            "POST /v1/tokens": [Reply.issued(secret: nil)],
        ]
        try await ScriptedService.with(script) { _, url in
            for (command, remedy) in [
                (["token", "renew"], "Next: plimsoll token renew\n"),
                (["token", "create", "--name", "alice"], "Next: plimsoll token revoke "),
            ] {
                let run = try await plimsoll(command + form, service: url)
                #expect(run.code == 1, "\(run)")
                #expect(run.errors.contains("its secret cannot be shown again"))
                #expect(run.errors.contains(remedy), "\(run.errors)")
                #expect(try run.json()["id"] != nil)
                let tried = try await plimsoll(command + form + ["--dry-run"], service: url)
                #expect(tried.code == 0, "\(tried)")
            }
        }
    }

    @Test func `a webhook without its secret is no success, and says how to have another`()
        async throws
    {
        let webhook = WebhookAnswer(
            id: WebhookID(UUID()),
            settings: WebhookSettings(
                url: try #require(WebhookURL("https://hooks.example.com/")),
                scope: .all
            ),
            stop: nil,
            registered: Position(1),
            previousSecretUntil: nil,
            delivered: Position(1),
            trouble: nil
        )
        let (made, rotated) = (
            "POST /v1/webhooks", "POST /v1/webhooks/\(webhook.id)/secret"
        )
        let answer = Reply(SecretWebhookAnswer(webhook: webhook, secret: nil))
        try await ScriptedService.with([made: [answer], rotated: [answer]]) { _, url in
            for command in [
                ["create", "https://hooks.example.com/"],
                ["rotate-secret", webhook.id.text, "--yes"],
            ] {
                let run = try await plimsoll(["webhook"] + command + ["--quiet"], service: url)
                #expect(run.code == 1, "\(run)")
                let next = "Next: plimsoll webhook rotate-secret \(webhook.id) --yes"
                #expect(run.errors.contains(next), "\(run.errors)")
            }
        }
    }
}
