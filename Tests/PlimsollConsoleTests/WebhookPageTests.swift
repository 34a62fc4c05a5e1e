import Foundation
import PlimsollAPI
import PlimsollDomain
import PlimsollTestSupport
import Testing

@testable import PlimsollConsole

/// What the page of a webhook says of how it fares.
@Suite struct WebhookPageTests {
    @Test(arguments: [true, false])
    func `a next attempt is told of what is not disabled`(_ isDisabled: Bool) async throws {
        let stop = WebhookStop(cause: nil, by: alice, since: testNow)
        let webhook = WebhookAnswer(
            id: WebhookID(UUID()),
            settings: WebhookSettings(
                url: try #require(WebhookURL("https://hooks.example.com/")),
                scope: .all
            ),
            stop: isDisabled ? stop : nil,
            registered: Position(1),
            previousSecretUntil: nil,
            delivered: nil,
            trouble: WebhookAnswer.Trouble(
                failures: 3,
                since: testNow,
                nextAttempt: testNow,
                cause: "it answered 500"
            )
        )
        let text = try await shown { visit in
            var page = Page("webhook", "Webhook")
            page.fields = visit.fields(of: webhook, Names([alice: "Alice"]))
            page.fields["next"] = "/webhooks/\(webhook.id)?cursor=x"
            return page
        }
        #expect(text.contains("it answered 500"))
        #expect(text.contains(Language.all[0]["webhooks.again"]) != isDisabled)
    }
}
