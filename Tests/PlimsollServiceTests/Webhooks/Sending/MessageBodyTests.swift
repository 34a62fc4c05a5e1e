import Foundation
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Testing

@testable import PlimsollService

@Suite struct MessageBodyTests {
    private let url = WebhookURL("https://hooks.example.com/")

    private func settings(_ format: WebhookFormat, grouped: Bool = true) throws -> WebhookSettings {
        var settings = WebhookSettings(url: try #require(url), scope: .all)
        (settings.format, settings.isGrouped, settings.tellsNames) = (format, grouped, true)
        return settings
    }

    private func events(
        _ count: Int,
        because reason: String,
        named id: (Int) throws -> UUID = { _ in UUID() }
    ) throws -> [EventAnswer] {
        try (1...count).map { number in
            EventAnswer(
                RecordedEvent(
                    position: Position(number),
                    id: try id(number),
                    stream: .app(harbour),
                    revision: Revision(1),
                    recordedAt: testNow,
                    command: CommandID(UUID()),
                    origin: Origin(
                        actor: root,
                        authentication: .service,
                        correlation: UUID(),
                        reason: try Reason(validating: reason)
                    ),
                    event: .app(.freeze(.started))
                ),
                app: harbour
            )
        }
    }

    private func json(
        _ events: [EventAnswer],
        by name: String?,
        _ format: WebhookFormat,
        grouped: Bool = true
    ) throws -> JSONValue {
        let body = try #require(MessageBody(events, by: name))
        return try JSONValue(parsing: body.message(to: settings(format, grouped: grouped)).body)
    }

    private static let hostile =
        "<!channel> <https://evil.example|click> & [x](https://evil.example)"

    @Test func `nothing in a reason or a name calls a channel of Slack or links anywhere`() throws {
        let events = try events(1, because: Self.hostile)
        let message = try json(events, by: "<@U1>", .slack)
        let text = try #require(message["text"]?.string)
        #expect(!text.contains("<") && !text.contains(">"))
        #expect(text.contains("&lt;!channel&gt;") && text.contains("&amp;"))
        let blocks = try #require(message["blocks"]?.array)
        let texts = [blocks[0]["text"], blocks[1]["elements"]?.array?.first]
        for text in texts { #expect(text?["type"] == "plain_text") }
        #expect(texts[0]?["text"]?.string?.contains(Self.hostile) == true)
        #expect(texts[1]?["text"]?.string?.hasPrefix("harbour · <@U1> · event 1 · ") == true)
    }

    @Test func `Teams gets runs of text, which know no Markdown`() throws {
        let message = try json(try events(1, because: Self.hostile), by: nil, .teams)
        let card = try #require(message["attachments"]?.array?.first?["content"])
        #expect(card["type"] == "AdaptiveCard")
        let blocks = try #require(card["body"]?.array)
        #expect(blocks.count == 3)
        for block in blocks {
            #expect(block["type"] == "RichTextBlock")
            #expect(block["inlines"]?.array?.first?["type"] == "TextRun")
        }
        let last = blocks.last?["inlines"]?.array?.first?["text"]?.string
        #expect(last?.contains("principal \(root)") == true)
    }

    @Test(arguments: [WebhookFormat.slack, .teams])
    func `a channel is spared what is long`(_ format: WebhookFormat) throws {
        let long = String(repeating: "ü", count: 2000)
        let body = try #require(MessageBody(try events(300, because: long), by: long))
        let message = body.message(to: try settings(format))
        #expect(message.body.count < 24_000)
        #expect(String(decoding: message.body, as: UTF8.self).contains("and 280 more"))
    }

    // Goal: nobody's words keep a channel from all that comes behind them. Method: a reason of one
    // character, and one of few, each with as many code points as it may have.
    @Test(arguments: [
        "e" + String(repeating: "\u{301}", count: 3999),
        String(
            repeating: "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}",
            count: 571
        ),
    ])
    func `a channel is spared what is long, however few characters it is`(
        _ reason: String
    ) throws {
        let message = try json(try events(1, because: reason), by: nil, .slack)
        let text = try #require(message["blocks"]?.array?.first?["text"]?["text"]?.string)
        #expect(text.utf16.count <= 3000)
        #expect(text.contains("Reason: ") && text.hasSuffix("…"))
        let body = try #require(MessageBody(try events(30, because: reason), by: reason))
        #expect(body.message(to: try settings(.teams)).body.count < 28_000)
    }

    @Test func `a program that asked for names is told them beside the event as it is`() throws {
        let events = try events(1, because: "Why")
        let message = try json(events, by: "alice", .standard, grouped: false)
        #expect(message["actorName"] == "alice")
        var event = try #require(message.object)
        event["actorName"] = nil
        #expect(event == events[0].json)
        #expect(try json(events, by: nil, .standard, grouped: false)["actorName"] == .null)
    }

    @Test func `an act has one id for the same events, and others for a part of them`() throws {
        let events = try events(3, because: "Why")
        let whole = try #require(MessageBody(events, by: nil)?.id)
        #expect(UUID(uuidString: whole) != nil)
        #expect(MessageBody(events, by: "alice")?.id == whole)
        #expect(MessageBody(Array(events.dropLast()), by: nil)?.id != whole)
        #expect(MessageBody(Array(events.dropFirst()), by: nil)?.id != whole)
        #expect(MessageBody([events[0]], by: nil)?.id == events[0].id.text)
        #expect(MessageBody([], by: nil) == nil)
    }

    // Receivers know an act by it that was sent by a version of before.
    @Test func `the id of an act is made of those of its first and last events`() throws {
        let events = try events(3, because: "Why") { number in
            try #require(UUID(uuidString: "0193a000-0000-7000-8000-00000000000\(number)"))
        }
        #expect(MessageBody(events, by: nil)?.id == "4ebe1911-5be0-8b07-9cc4-3461d63fef89")
    }
}
