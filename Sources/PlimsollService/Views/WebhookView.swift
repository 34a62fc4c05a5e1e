import PlimsollAPI
package import PlimsollDomain

extension WebhookAnswer {
    /// A webhook and how it fares; of one to which nothing was to be sent yet nothing is known.
    init(_ webhook: Webhook, _ standing: WebhookStanding?, at now: Instant) {
        self.init(
            id: webhook.id,
            settings: webhook.settings,
            stop: webhook.stop.map { Stop(cause: $0.cause, by: $0.by, since: $0.since) },
            registered: webhook.registeredAt,
            previousSecretUntil: webhook.secrets(at: now).compactMap(\.until).max(),
            delivered: standing?.delivered,
            trouble: standing?.trouble
        )
    }
}

extension WebhookStanding {
    fileprivate var trouble: WebhookAnswer.Trouble? {
        guard let failingSince, let nextAttempt, let failure else { return nil }
        return WebhookAnswer.Trouble(
            failures: Int64(failures),
            since: failingSince,
            nextAttempt: nextAttempt,
            cause: failure
        )
    }
}

/// How far a webhook has come, and what keeps it from going on.
package struct WebhookStanding: Equatable, Sendable {
    /// Everything up to here was sent, or is none of its business.
    package let delivered: Position
    /// The failures in a row; what they failed at is tried again.
    package let failures: Int
    package let failingSince: Instant?
    package let nextAttempt: Instant?
    package let failure: String?

    package init(
        delivered: Position,
        failures: Int,
        failingSince: Instant?,
        nextAttempt: Instant?,
        failure: String?
    ) {
        self.delivered = delivered
        self.failures = failures
        self.failingSince = failingSince
        self.nextAttempt = nextAttempt
        self.failure = failure
    }
}

/// One attempt to send something to a webhook.
package struct WebhookDelivery: Equatable, Sendable {
    package typealias Kind = DeliveryKind

    /// Its place among all attempts.
    package let number: Int64
    package let kind: Kind
    /// The id by which a receiver knows a message that it has had already.
    package let message: String
    /// That of the event; `nil` for a test.
    package let position: Position?
    package let attemptedAt: Instant
    package let duration: Duration
    /// What was answered; `nil` where nothing was.
    package let status: Int?
    /// `nil` where it was delivered.
    package let failure: String?

    package init(
        number: Int64,
        kind: Kind,
        message: String,
        position: Position?,
        attemptedAt: Instant,
        duration: Duration,
        status: Int?,
        failure: String?
    ) {
        self.number = number
        self.kind = kind
        self.message = message
        self.position = position
        self.attemptedAt = attemptedAt
        self.duration = duration
        self.status = status
        self.failure = failure
    }
}
