package import PlimsollDomain

/// What people ask of whatever sends events to webhooks; how it sends is not the use cases'
/// business.
package struct WebhookDesk: Sendable {
    /// The key that new secrets are made from, made where there is none yet.
    let key: @Sendable () async throws -> WebhookKeyID
    /// The secret, as its receiver is told it.
    let secret: @Sendable (WebhookID, WebhookSecret) async throws -> String
    /// Why nothing is ever sent to such an address; `nil` where something may be.
    let objection: @Sendable (WebhookURL) -> String?
    /// Sends a message that says nothing, and tells what came of it.
    let test: @Sendable (Webhook) async throws -> WebhookDelivery
    let standings: @Sendable ([WebhookID]) async throws -> [WebhookID: WebhookStanding]
    /// The newest first, before a number.
    let deliveries: @Sendable (WebhookID, Int64?, Int) async throws -> [WebhookDelivery]

    package init(
        key: @escaping @Sendable () async throws -> WebhookKeyID,
        secret: @escaping @Sendable (WebhookID, WebhookSecret) async throws -> String,
        objection: @escaping @Sendable (WebhookURL) -> String?,
        test: @escaping @Sendable (Webhook) async throws -> WebhookDelivery,
        standings: @escaping @Sendable ([WebhookID]) async throws -> [WebhookID: WebhookStanding],
        deliveries: @escaping @Sendable (WebhookID, Int64?, Int) async throws -> [WebhookDelivery]
    ) {
        self.key = key
        self.secret = secret
        self.objection = objection
        self.test = test
        self.standings = standings
        self.deliveries = deliveries
    }

    /// Where nothing is ever sent.
    package static let closed = WebhookDesk(
        key: { throw WebhooksClosed() },
        secret: { _, _ in throw WebhooksClosed() },
        objection: { _ in WebhooksClosed().description },
        test: { _ in throw WebhooksClosed() },
        standings: { _ in [:] },
        deliveries: { _, _, _ in [] }
    )
}

/// The key of the secrets cannot be used; why is for the operator's log alone.
package struct WebhookKeyUnusable: Error {
    package init() {}
}

/// This process sends no events anywhere.
package struct WebhooksClosed: Error, CustomStringConvertible {
    package let description = "this service sends no events anywhere"
}
