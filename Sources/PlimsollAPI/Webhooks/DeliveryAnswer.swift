package import PlimsollDomain
package import PlimsollJSON

/// One attempt to send something to a webhook.
package struct DeliveryAnswer: Answer {
    package let kind: DeliveryKind
    /// The header `webhook-id` of the message.
    package let message: String
    /// That of the event; `nil` for a test.
    package let position: Position?
    package let attemptedAt: Instant
    package let milliseconds: Int64
    /// What the receiver answered; `nil` where it did not.
    package let status: Int64?
    /// `nil` where it was delivered.
    package let failure: String?

    package init(
        kind: DeliveryKind,
        message: String,
        position: Position?,
        attemptedAt: Instant,
        milliseconds: Int64,
        status: Int64?,
        failure: String?
    ) {
        self.kind = kind
        self.message = message
        self.position = position
        self.attemptedAt = attemptedAt
        self.milliseconds = milliseconds
        self.status = status
        self.failure = failure
    }

    package init?(_ reader: inout ObjectReader) {
        let kind = reader.name("kind", as: DeliveryKind.self)
        let message = reader.string("message")
        let position = reader.optionalPosition("position")
        let attemptedAt = reader.instant("attemptedAt")
        let milliseconds = reader.integer("milliseconds")
        let status = reader.optionalInteger("status")
        let failure = reader.optionalString("failure")
        guard let kind, let message, let attemptedAt, let milliseconds else { return nil }
        self.init(
            kind: kind,
            message: message,
            position: position,
            attemptedAt: attemptedAt,
            milliseconds: milliseconds,
            status: status,
            failure: failure
        )
    }

    package var json: JSONObject {
        [
            "kind": .string(kind.rawValue),
            "message": .string(message),
            "position": JSONValue(position),
            "attemptedAt": JSONValue(attemptedAt),
            "milliseconds": .integer(milliseconds),
            "status": status.map { .integer($0) } ?? .null,
            "failure": JSONValue(failure),
        ]
    }
}

/// What was tried lately, newest first.
package struct DeliveryList: Answer {
    package let deliveries: [DeliveryAnswer]
    /// The cursor of the next part; `nil` where the list has come to its end.
    package let next: String?

    package init(deliveries: [DeliveryAnswer], next: String?) {
        self.deliveries = deliveries
        self.next = next
    }

    package init?(_ reader: inout ObjectReader) {
        let deliveries = reader.objects("deliveries", .ignored, DeliveryAnswer.init)
        let next = reader.optionalString("next")
        guard let deliveries else { return nil }
        self.init(deliveries: deliveries, next: next)
    }

    package var json: JSONObject {
        ["deliveries": JSONValue(deliveries), "next": JSONValue(next)]
    }
}
