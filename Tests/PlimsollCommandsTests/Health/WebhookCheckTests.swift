import Foundation
import PlimsollAPI
import PlimsollDomain
import Testing

@testable import PlimsollCommands

/// What the doctor says of those who are told what happens.
struct WebhookCheckTests {
    private let now = Instant(millisecondsSince1970: 0)

    private func webhook(
        _ stop: WebhookStop? = nil,
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
        let byHand = WebhookStop(cause: nil, by: PrincipalID(UUID()), since: now)
        for webhooks in [[], [try webhook()], [try webhook(byHand), try webhook(byHand, trouble)]] {
            let findings = WebhookCheck.findings(of: webhooks, before: [:], now: now)
            #expect(findings.map(\.isGood) == [true])
        }
    }

    @Test func `who fails and who was given up is named, with what to do`() throws {
        let givenUp = WebhookStop(cause: "it answered 410", by: .system, since: now)
        let sick = [try webhook(givenUp), try webhook(nil, trouble)]
        let findings = WebhookCheck.findings(of: [try webhook()] + sick, before: [:], now: now)
        #expect(findings.map(\.isGood) == [false, false])
        for (finding, webhook) in zip(findings, sick) {
            #expect(finding.detail.contains("\(webhook.id) to hooks.example.com"))
            #expect(finding.remedy?.contains(webhook.id.text) == true)
        }
        #expect(findings[0].detail.contains("it answered 410"))
        #expect(findings[1].detail.contains("it answered 500"))
    }

    // Goal: it is seen that nobody sends, as where every process was told not to, though nothing fails.
    // Method: the event behind the place where the webhook stands grows old.
    @Test(arguments: [(300, true), (301, false)])
    func `a webhook that is sent nothing is named`(_ seconds: Int, _ isWell: Bool) throws {
        let webhook = try webhook()
        let stop = WebhookStop(cause: nil, by: PrincipalID(UUID()), since: now)
        let byHand = try self.webhook(stop)
        let next = try event(at: Position(2))
        let findings = WebhookCheck.findings(
            of: [webhook, byHand],
            before: [webhook.id: next, byHand.id: next],
            now: now.advanced(by: .seconds(seconds))
        )
        #expect(findings.map(\.isGood) == [isWell])
        let words = "\(webhook.id) to hooks.example.com waits at event 2"
        #expect(findings[0].detail.contains(words) == !isWell)
        #expect((findings[0].remedy == nil) == isWell)
    }

    private func event(at position: Position) throws -> EventAnswer {
        EventAnswer(
            RecordedEvent(
                position: position,
                id: UUID(),
                stream: .app(try Samples.slug()),
                revision: Revision(1),
                recordedAt: now,
                command: CommandID(UUID()),
                origin: Origin(actor: .system, authentication: .service, correlation: UUID()),
                event: .app(.renewalOrdered)
            )
        )
    }
}
