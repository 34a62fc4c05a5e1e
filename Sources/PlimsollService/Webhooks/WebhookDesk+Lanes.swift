import FoundationEssentials
import Logging
import PlimsollDomain

extension WebhookDesk {
    /// What people ask of the lanes and their tables.
    package init(_ postman: Postman, _ admission: Admission, _ store: LaneStore) {
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

extension Postman {
    /// What comes of the key; what is wrong with it is for the operator alone.
    fileprivate func whereUsable<Result>(
        _ body: () throws(WebhookKeyError) -> Result
    ) throws(WebhookKeyUnusable) -> Result {
        do throws(WebhookKeyError) {
            return try body()
        } catch {
            logger.error("no secret can be made", metadata: ["error": "\(error)"])
            throw WebhookKeyUnusable()
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
