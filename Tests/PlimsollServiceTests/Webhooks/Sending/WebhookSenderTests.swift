import Foundation
import Logging
import PlimsollDomain
import PlimsollSystem
import PlimsollTestSupport
import Synchronization
import Testing

@testable import PlimsollService

@Suite struct WebhookSenderTests {
    // Goal: whoever reads the service's log learns why nothing can be signed.
    @Test func `why a key cannot be used stands in the log, and nowhere else`() async throws {
        try await withFolder { folder in
            let key = WebhookKey(folder / WebhookKey.fileName)
            let webhook = try webhook(of: try key.make())
            try key.path.setPermissions(.readableByAll)
            let lines = Mutex<[String]>([])
            let logger = Logger(label: "test") { _ in
                LineHandler { line in lines.withLock { $0.append(line) } }
            }
            let sender = WebhookSender(
                key,
                WebhookTransport(.local),
                logger: logger,
                now: { testNow },
                wallClock: { testNow }
            )
            let attempt = try await sender.attempt(
                .event,
                WebhookMessage(id: "m", body: []),
                of: nil,
                to: webhook,
                number: 0
            )
            #expect(attempt.outcome.failure?.contains("plimsoll doctor --data") == true)
            #expect(attempt.outcome.failure?.contains(key.path.string) == false)
            #expect(lines.withLock { $0.filter { $0.contains(key.path.string) }.count } == 1)
        }
    }

    private func webhook(of key: WebhookKeyID) throws -> Webhook {
        let id = WebhookID(UUID())
        let url = try #require(WebhookURL("https://hooks.example.com/"))
        let settings = WebhookSettings(url: url, scope: .all)
        let given = try Given.harbourApp().when(RegisterWebhook(id, settings, key: key, by: root))
        return try #require(given.logState.webhooks[id])
    }
}

private struct LineHandler: LogHandler {
    let keep: @Sendable (String) -> Void
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    init(keep: @escaping @Sendable (String) -> Void) { self.keep = keep }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { keep("\(event.message) \(event.metadata ?? [:])") }
}
