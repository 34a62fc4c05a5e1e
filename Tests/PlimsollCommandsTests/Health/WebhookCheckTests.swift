import Foundation
import PlimsollAPI
import PlimsollDomain
import Testing

@testable import PlimsollCommands

/// What the doctor says of those who are told what happens.
struct WebhookCheckTests {
    private let now = Instant(millisecondsSince1970: 0)

    private func webhook(
        _ stop: WebhookAnswer.Stop? = nil,
        _ trouble: WebhookAnswer.Trouble? = nil
    ) throws -> WebhookAnswer {
        let url = try #require(WebhookURL("https://hooks.example.com/"))
        return WebhookAnswer(
            id: WebhookID(UUID()),
            settings: WebhookSettings(url: url, scope: .all),
            stop: stop,
            registered: Position(1),
            previousSecretUntil: nil,
            delivered: Position(1),
            trouble: trouble
        )
    }

    private var trouble: WebhookAnswer.Trouble {
        WebhookAnswer.Trouble(failures: 3, since: now, nextAttempt: now, cause: "it answered 500")
    }

    @Test func `all is well where everybody is told, or wants to hear nothing`() throws {
        let byHand = WebhookAnswer.Stop(cause: nil, by: PrincipalID(UUID()), since: now)
        for webhooks in [[], [try webhook()], [try webhook(byHand), try webhook(byHand, trouble)]] {
            let findings = WebhookCheck.findings(of: webhooks)
            #expect(findings.map(\.isGood) == [true])
        }
    }

    @Test func `who fails and who was given up is named, with what to do`() throws {
        let givenUp = WebhookAnswer.Stop(cause: "it answered 410", by: .system, since: now)
        let sick = [try webhook(givenUp), try webhook(nil, trouble)]
        let findings = WebhookCheck.findings(of: [try webhook()] + sick)
        #expect(findings.map(\.isGood) == [false, false])
        for (finding, webhook) in zip(findings, sick) {
            #expect(finding.detail.contains("\(webhook.id) to hooks.example.com"))
            #expect(finding.remedy?.contains(webhook.id.text) == true)
        }
        #expect(findings[0].detail.contains("it answered 410"))
        #expect(findings[1].detail.contains("it answered 500"))
    }
}
