package import Foundation

/// The id of a webhook.
package struct WebhookID: Hashable, Comparable, Sendable {
    package let text: String

    package init(_ uuid: UUID) { text = uuid.text }

    package init?(_ text: String) {
        guard canonicalUUID(text) != nil else { return nil }
        self.text = text
    }

    package static func < (left: WebhookID, right: WebhookID) -> Bool { left.text < right.text }
}

extension WebhookID: CustomStringConvertible {
    package var description: String { text }
}

/// Which key the secret of a webhook is made from: 16 lower-case hexadecimal digits, that tell
/// nothing of it.
package struct WebhookKeyID: Hashable, Sendable {
    package let text: String

    package init?(_ text: String) {
        guard text.utf8.count == 16, text.utf8.allSatisfy(isHexDigit) else { return nil }
        self.text = text
    }
}

/// The name of a type of events, such as `ChangeApplied`; whether there is one is not asked here.
package struct EventName: Hashable, Comparable, Sendable {
    package let text: String

    private static let lettersMaximum = 60

    package init?(_ text: String) {
        guard (1...Self.lettersMaximum).contains(text.utf8.count),
            text.utf8.allSatisfy(isLetter)
        else { return nil }
        self.text = text
    }

    package static func < (left: EventName, right: EventName) -> Bool { left.text < right.text }
}

/// What the body of a message is.
package enum WebhookFormat: String, CaseIterable, Sendable {
    /// The event as the record shows it, for programs.
    case standard
    /// A message that Slack shows in a channel.
    case slack
    /// A card that Teams shows in a channel.
    case teams
}

/// Where events go, and which.
package struct WebhookSettings: Equatable, Sendable {
    package let url: WebhookURL
    /// The events of one app, or all there are.
    package let scope: Scope
    /// Only events of these types; empty for all.
    package let types: [EventName]
    package var format = WebhookFormat.standard
    /// Whether all events of one act, such as an approval and what it applied, are one message.
    package var isGrouped = false
    /// Whether it is told what people are called, as far as whoever registered it may know.
    package var tellsNames = false

    package init(url: WebhookURL, scope: Scope, types: [EventName] = []) {
        self.url = url
        self.scope = scope
        self.types = types
    }
}
