import Crypto
import Foundation
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollStore

/// What a receiver is sent of one event, or of all events of one act.
struct MessageBody {
    /// In the order of the log, of one append; never empty.
    private let events: [EventAnswer]
    private let last: EventAnswer
    /// What whoever acted is called, if the receiver may know.
    private let actorName: String?

    /// A channel is no record: of more events than this only the number is told.
    ///
    /// Of long texts the beginning is. Slack shows 3000 characters of a block, Teams takes 28 KB,
    /// and both refuse what is longer; what a reader takes for one character may be thousands of
    /// theirs.
    static let linesMaximum = 20
    static let lineMaximum = 400
    static let lineBytesMaximum = 800

    /// `nil` where nothing happened.
    init?(_ events: [EventAnswer], by actorName: String?) {
        guard let last = events.last else { return nil }
        self.events = events
        self.last = last
        self.actorName = actorName
    }

    /// The same for the same events, however often they are sent.
    var id: String {
        guard events.count > 1 else { return last.id.text }
        return UUID(namedBy: [events[0].id, last.id]).text
    }

    func message(to settings: WebhookSettings) -> WebhookMessage {
        let body: [UInt8] =
            switch settings.format {
            case .standard: settings.isGrouped ? group : single(naming: settings.tellsNames)
            case .slack: Chat.slack(lines, context).canonicalBytes()
            case .teams: Chat.teams(lines, context).canonicalBytes()
            }
        return WebhookMessage(id: id, body: body)
    }

    private func single(naming: Bool) -> [UInt8] {
        guard naming else { return last.bytes }
        var json = last.json
        json["actorName"] = JSONValue(actorName)
        return json.canonicalBytes()
    }

    private var group: [UInt8] {
        let json: JSONObject = [
            "type": "Group",
            "command": .string(last.command.description),
            "position": JSONValue(last.position),
            "recordedAt": JSONValue(last.recordedAt),
            "app": JSONValue(last.app?.text),
            "actor": .string(last.origin.actor.text),
            "actorName": JSONValue(actorName),
            "reason": JSONValue(last.origin.reason),
            "events": .array(events.map { .object($0.json) }),
        ]
        return json.canonicalBytes()
    }

    /// What happened, a sentence each, and why.
    private var lines: [String] {
        let told = events.prefix(Self.linesMaximum).map { Chat.excerpt($0.sentence) }
        let rest = events.count - told.count
        return told + (rest > 0 ? ["and \(rest) more"] : [])
            + (last.origin.reason.map { ["Reason: \(Chat.excerpt($0))"] } ?? [])
    }

    /// Who did it, where and when.
    private var context: String {
        let actor = last.origin.actor
        let who = actorName ?? (actor == .system ? "plimsoll" : "principal \(actor)")
        return [
            last.app?.text ?? "the service", Chat.excerpt(who), "event \(last.position)",
            last.recordedAt.description,
        ].joined(separator: " · ")
    }
}

extension WebhookMessage {
    /// Says nothing but that it came.
    init(testing webhook: Webhook, id: String) {
        let context = "webhook \(webhook.id)"
        let json: JSONObject =
            switch webhook.settings.format {
            case .standard: ["type": "Test", "webhook": .string(webhook.id.text)]
            case .slack: Chat.slack(["Plimsoll can send messages here."], context)
            case .teams: Chat.teams(["Plimsoll can send messages here."], context)
            }
        self.init(id: id, body: json.canonicalBytes())
    }
}

/// The forms that chat programs show; nothing in a text is taken for markup or for a mention.
private enum Chat {
    /// The body of an incoming webhook.
    ///
    /// https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
    static func slack(_ lines: [String], _ context: String) -> JSONObject {
        let text = String(lines.joined(separator: "\n").beginning(of: 2900, \.utf16.count))
        return [
            // Notifications show it, and read marks in it: `<!channel>` would call everybody.
            "text": .string(
                text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
                    .replacing(">", with: "&gt;")
            ),
            "blocks": [
                ["type": "section", "text": plain(text)],
                ["type": "context", "elements": [plain(context)]],
            ],
        ]
    }

    private static func plain(_ text: String) -> JSONValue {
        ["type": "plain_text", "emoji": false, "text": .string(text)]
    }

    /// What a workflow takes that posts an adaptive card.
    ///
    /// https://adaptivecards.io/explorer/RichTextBlock.html
    ///
    /// Its runs of text know no Markdown, which a `TextBlock` does.
    static func teams(_ lines: [String], _ context: String) -> JSONObject {
        let paragraphs = lines.enumerated().map {
            paragraph($1, ["weight": $0 == 0 ? "Bolder" : "Default"])
        }
        let card: JSONObject = [
            "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
            "type": "AdaptiveCard", "version": "1.4",
            "body": .array(paragraphs + [paragraph(context, ["isSubtle": true, "size": "Small"])]),
        ]
        return [
            "type": "message",
            "attachments": [
                [
                    "contentType": "application/vnd.microsoft.card.adaptive", "contentUrl": .null,
                    "content": .object(card),
                ]
            ],
        ]
    }

    private static func paragraph(_ text: String, _ style: JSONObject) -> JSONValue {
        var run = style
        run["type"] = "TextRun"
        run["text"] = .string(text)
        return ["type": "RichTextBlock", "inlines": [.object(run)]]
    }

    static func excerpt(_ text: String) -> String {
        let beginning = text.prefix(MessageBody.lineMaximum)
            .beginning(of: MessageBody.lineBytesMaximum, \.utf8.count)
        return beginning.endIndex < text.endIndex ? beginning + "…" : text
    }
}

extension StringProtocol {
    /// As many whole characters as there is room for.
    fileprivate func beginning(of room: Int, _ size: (Character) -> Int) -> SubSequence {
        var room = room
        return prefix { character in
            room -= size(character)
            return room >= 0
        }
    }
}

extension UUID {
    /// Made of others (RFC 9562, version 8).
    fileprivate init(namedBy ids: [UUID]) {
        let digest = SHA256.hash(data: Data(ids.map(\.text).joined(separator: "/").utf8))
        var bytes = Array(digest.prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        let words = [bytes.prefix(8), bytes.suffix(8)].map { half in
            half.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        self.init(high: words[0], low: words[1])
    }
}
