package import Foundation
import HashTreeCollections

/// Where events are sent to, as the events of the stream `webhooks` have left it.
package struct Webhooks: Codable, Equatable, Sendable {
    private var webhooks: TreeDictionary<WebhookID, Webhook> = [:]

    /// How many there may be: each has a queue of its own.
    package static let countMaximum = 64
    /// How many of one app, so that its administrators leave some to the others.
    package static let countMaximumOfApp = 16

    package subscript(id: WebhookID) -> Webhook? { webhooks[id] }

    package var count: Int { webhooks.count }

    /// All that were not removed, in the order in which they were registered.
    package var all: [Webhook] {
        webhooks.values.sorted { $0.registeredAt < $1.registeredAt }
    }

    /// The app that such an event is about, as it is known just before it.
    package func app(of event: WebhookEvent) -> AppSlug? {
        let scope: Scope? =
            if case .webhookRegistered(_, let settings, _) = event {
                settings.scope
            } else {
                webhooks[event.webhook]?.settings.scope
            }
        if case .app(let app) = scope { return app }
        return nil
    }

    mutating func evolve(_ event: WebhookEvent, _ recorded: RecordedEvent) {
        switch event {
        case .webhookRegistered(let id, let settings, let key):
            webhooks[id] = Webhook(
                id: id,
                settings: settings,
                owner: recorded.origin.actor,
                registeredAt: recorded.position,
                secrets: [WebhookSecret(generation: 1, key: key, until: nil)]
            )
        case .webhookSecretRotated(let id, let key, let previousUntil):
            webhooks[id]?.rotate(to: key, previousUntil, at: recorded.recordedAt)
            webhooks[id]?.enabledAt = recorded.position
        case .webhookDisabled(let id, let cause):
            webhooks[id]?.state = .disabled(
                WebhookStop(
                    cause: cause ?? recorded.origin.reason?.text,
                    by: recorded.origin.actor,
                    since: recorded.recordedAt
                )
            )
        case .webhookEnabled(let id):
            webhooks[id]?.state = .enabled
            webhooks[id]?.enabledAt = recorded.position
        case .webhookReplayOrdered(let id, let since, let until):
            webhooks[id]?.order(
                WebhookReplay(orderedAt: recorded.position, since: since, until: until)
            )
        case .webhookRemoved(let id): webhooks[id] = nil
        }
    }
}

/// A place that events are sent to.
package struct Webhook: Codable, Equatable, Sendable {
    /// Whether anything is sent.
    package enum State: Codable, Equatable, Sendable {
        case enabled
        /// What happens meanwhile is sent when it is enabled again.
        case disabled(WebhookStop)
    }

    package let id: WebhookID
    package let settings: WebhookSettings
    /// Who registered it.
    package let owner: PrincipalID
    /// What happened before is not sent, unless a replay is ordered.
    package let registeredAt: Position
    /// The newest first; all of them that have not run out sign.
    package internal(set) var secrets: [WebhookSecret]
    package internal(set) var state = State.enabled
    /// Attempts begin anew when it is enabled again, or has a new secret.
    package internal(set) var enabledAt: Position
    /// The newest that were ordered, done or not, the oldest first.
    package private(set) var replays: [WebhookReplay] = []

    /// Of more orders than this the oldest are forgotten, done or not.
    package static let replaysMaximum = 64
    /// Of more secrets than this the oldest sign no more, however young they are.
    package static let secretsMaximum = 4

    init(
        id: WebhookID,
        settings: WebhookSettings,
        owner: PrincipalID,
        registeredAt: Position,
        secrets: [WebhookSecret]
    ) {
        self.id = id
        self.settings = settings
        self.owner = owner
        self.registeredAt = registeredAt
        self.secrets = secrets
        enabledAt = registeredAt
    }

    package var isEnabled: Bool { state == .enabled }

    /// Why nothing is sent; `nil` while something is.
    package var stop: WebhookStop? {
        if case .disabled(let stop) = state { stop } else { nil }
    }

    /// What signs at that time.
    package func secrets(at now: Instant) -> [WebhookSecret] {
        secrets.filter { secret in secret.until.map { now < $0 } ?? true }
    }

    /// A receiver may know only a secret before the last one, so none ends before its time.
    fileprivate mutating func rotate(
        to key: WebhookKeyID,
        _ previousUntil: Instant,
        at now: Instant
    ) {
        var known = secrets(at: now)
        guard let previous = known.first else { return }
        known[0].until = previousUntil
        let next = WebhookSecret(generation: previous.generation + 1, key: key, until: nil)
        secrets = Array(([next] + known).prefix(Self.secretsMaximum))
    }

    fileprivate mutating func order(_ replay: WebhookReplay) {
        replays = (replays + [replay]).suffix(Self.replaysMaximum)
    }
}

/// What is recorded of a secret: enough to make it again for whoever has the key.
package struct WebhookSecret: Codable, Equatable, Sendable {
    package let generation: Int
    package let key: WebhookKeyID
    /// `nil` while it is the newest.
    package fileprivate(set) var until: Instant?

    package init(generation: Int, key: WebhookKeyID, until: Instant?) {
        self.generation = generation
        self.key = key
        self.until = until
    }
}

/// Why nothing is sent.
package struct WebhookStop: Codable, Equatable, Sendable {
    package let cause: String?
    package let by: PrincipalID
    package let since: Instant

    package init(cause: String?, by: PrincipalID, since: Instant) {
        (self.cause, self.by, self.since) = (cause, by, since)
    }
}

/// Positions whose events are to be sent once more.
package struct WebhookReplay: Codable, Equatable, Sendable {
    package let orderedAt: Position
    package let since: Position
    package let until: Position
}

/// The id of a webhook.
package struct WebhookID: Codable, Comparable, TextName {
    package let text: String

    package init(_ uuid: UUID) { text = uuid.text }

    package init?(_ text: String) {
        guard canonicalUUID(text) != nil else { return nil }
        self.text = text
    }
}

/// Which key the secret of a webhook is made from: 16 lower-case hexadecimal digits, that tell
/// nothing of it.
package struct WebhookKeyID: Codable, Hashable, Sendable {
    package let text: String

    package init?(_ text: String) {
        guard text.utf8.count == 16, text.utf8.allSatisfy(isHexDigit) else { return nil }
        self.text = text
    }
}

/// The name of a type of events, such as `ChangeApplied`; whether there is one is not asked here.
package struct EventName: Codable, Comparable, TextName {
    package let text: String

    private static let lettersMaximum = 60

    package init?(_ text: String) {
        guard (1...Self.lettersMaximum).contains(text.utf8.count),
            text.utf8.allSatisfy(isLetter)
        else { return nil }
        self.text = text
    }
}

/// What the body of a message is.
package enum WebhookFormat: String, Codable, CaseIterable, Sendable {
    /// The event as the record shows it, for programs.
    case standard
    /// A message that Slack shows in a channel.
    case slack
    /// A card that Teams shows in a channel.
    case teams
}

/// Where events go, and which.
package struct WebhookSettings: Codable, Equatable, Sendable {
    package let url: WebhookURL
    /// The events of one app, or all there are.
    package let scope: Scope
    /// Only events of these types; empty for all.
    package let types: [EventName]
    package var format: WebhookFormat
    /// Whether all events of one act, such as an approval and what it applied, are one message.
    package var isGrouped: Bool
    /// Whether it is told what people are called, as far as whoever registered it may know.
    package var tellsNames: Bool

    package init(
        url: WebhookURL,
        scope: Scope,
        types: [EventName] = [],
        format: WebhookFormat = .standard,
        isGrouped: Bool = false,
        tellsNames: Bool = false
    ) {
        (self.url, self.scope, self.types) = (url, scope, types)
        (self.format, self.isGrouped, self.tellsNames) = (format, isGrouped, tellsNames)
    }
}

/// Why something was sent to a webhook.
package enum DeliveryKind: String, CaseIterable, Sendable {
    case event
    /// Sent once more, because somebody ordered it.
    case replay
    case test
}
