import FoundationEssentials
import Logging
import PlimsollAPI
package import PlimsollDomain

/// What people ask of whatever sends events to webhooks; how it sends is not the use cases'
/// business.
package struct WebhookOperations: Sendable {
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
    package static let closed = WebhookOperations(
        key: { throw WebhooksClosed() },
        secret: { _, _ in throw WebhooksClosed() },
        objection: { _ in WebhooksClosed().description },
        test: { _ in throw WebhooksClosed() },
        standings: { _ in [:] },
        deliveries: { _, _, _ in [] }
    )
}

extension Problem {
    /// Why is for the operator's log alone.
    fileprivate static let webhookKeyUnusable = Problem(
        .keyUnusable,
        detail: "The key that the secrets of webhooks are made from cannot be used, so nothing was"
            + " made. Tell the operator; plimsoll doctor --data says why."
    )
}

/// This process sends no events anywhere.
package struct WebhooksClosed: Error, CustomStringConvertible {
    package let description = "this service sends no events anywhere"
}

extension WebhookOperations {
    /// What people ask of the lanes and their tables.
    package init(_ postman: WebhookSender, _ admission: Admission, _ store: LaneStore) {
        let key = postman.key
        self.init(
            key: { try postman.whereUsable { () throws(WebhookKeyError) in try key.make() } },
            secret: { webhook, secret in
                try postman.whereUsable { () throws(WebhookKeyError) in
                    try key.secret(of: webhook, secret).text
                }
            },
            objection: { admission.objection(to: $0) },
            test: { try await postman.test($0, noting: store) },
            standings: { try await store.places(of: $0).mapValues(WebhookStanding.init) },
            deliveries: { webhook, number, limit in
                try await store.deliveries(
                    to: webhook,
                    before: number,
                    limit: limit,
                    at: postman.now()
                )
            }
        )
    }
}

extension WebhookSender {
    /// What comes of the key; what is wrong with it is for the operator alone.
    fileprivate func whereUsable<Result>(
        _ body: () throws(WebhookKeyError) -> Result
    ) throws(Problem) -> Result {
        do throws(WebhookKeyError) {
            return try body()
        } catch {
            logger.error("no secret can be made", metadata: ["error": "\(error)"])
            throw Problem.webhookKeyUnusable
        }
    }

    /// Sends a message that says nothing; it moves no lane.
    fileprivate func test(
        _ webhook: Webhook,
        noting store: LaneStore
    ) async throws -> WebhookDelivery {
        let id = UUID().text
        let message = WebhookMessage(testing: webhook, id: id)
        let attempt = try await attempt(.test, message, of: nil, to: webhook, number: 0)
        return WebhookDelivery(
            number: try await store.note(attempt, of: webhook.id),
            kind: .test,
            message: id,
            position: nil,
            attemptedAt: attempt.attemptedAt,
            duration: attempt.duration,
            status: attempt.outcome.status,
            failure: attempt.outcome.failure
        )
    }
}

extension WebhookStanding {
    fileprivate init(_ place: LanePlace) {
        self.init(
            delivered: place.delivered,
            failures: place.failures,
            failingSince: place.failingSince,
            nextAttempt: place.nextAttempt,
            failure: place.failure
        )
    }
}
