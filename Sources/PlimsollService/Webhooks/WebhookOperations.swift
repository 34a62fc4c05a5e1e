import FoundationEssentials
import Logging
import PlimsollAPI
import PlimsollDomain

/// What people ask of the queues and their tables.
package struct WebhookOperations: Sendable {
    private let sender: WebhookSender
    private let admission: Admission
    private let store: WebhookProgressStore

    package init(_ sender: WebhookSender, _ admission: Admission, _ store: WebhookProgressStore) {
        (self.sender, self.admission, self.store) = (sender, admission, store)
    }

    /// The key that new secrets are made from, made where there is none yet.
    func key() throws(Problem) -> WebhookKeyID {
        try whereUsable { () throws(WebhookKeyError) in try sender.key.make() }
    }

    /// The secret, as its receiver is told it.
    func secret(of webhook: WebhookID, _ secret: WebhookSecret) throws(Problem) -> String {
        try whereUsable { () throws(WebhookKeyError) in
            try sender.key.secret(of: webhook, secret).text
        }
    }

    /// Why nothing is ever sent to such an address; `nil` where something may be.
    func objection(to url: WebhookURL) -> String? { admission.objection(to: url) }

    /// Sends a message that says nothing, and tells what came of it; it moves no queue.
    func test(_ webhook: Webhook) async throws -> DeliveryAnswer {
        let message = WebhookMessage(testing: webhook, id: UUID().text)
        let attempt = try await sender.attempt(.test, message, of: nil, to: webhook, number: 0)
        _ = try await store.note(attempt, of: webhook.id)
        return DeliveryAnswer(
            kind: attempt.kind,
            message: attempt.message,
            position: attempt.position,
            attemptedAt: attempt.attemptedAt,
            milliseconds: attempt.duration.milliseconds,
            status: attempt.outcome.status.map(Int64.init),
            failure: attempt.outcome.failure
        )
    }

    func places(of webhooks: [WebhookID]) async throws -> [WebhookID: WebhookProgress] {
        try await store.places(of: webhooks)
    }

    /// The newest first, before a number.
    func deliveries(
        to webhook: WebhookID,
        before number: Int64?,
        limit: Int
    ) async throws -> [(number: Int64, answer: DeliveryAnswer)] {
        try await store.deliveries(
            to: webhook,
            before: number,
            limit: limit,
            at: sender.now()
        )
    }

    /// What comes of the key; what is wrong with it is for the operator alone.
    private func whereUsable<Result>(
        _ body: () throws(WebhookKeyError) -> Result
    ) throws(Problem) -> Result {
        do throws(WebhookKeyError) {
            return try body()
        } catch {
            sender.logger.error("no secret can be made", metadata: ["error": "\(error)"])
            throw Problem.webhookKeyUnusable
        }
    }
}

extension Problem {
    /// Why is for the operator's log alone.
    fileprivate static let webhookKeyUnusable = Problem(
        .keyUnusable,
        detail: "The key that the secrets of webhooks are made from cannot be used, so nothing was"
            + " made. Tell the operator; plimsoll doctor --data says why."
    )
}
