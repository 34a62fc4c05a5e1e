import FoundationEssentials
import PlimsollDomain
package import PlimsollUseCases

extension WebhookDesk {
    /// What people ask of the lanes and their tables.
    package init(_ postman: Postman, _ admission: Admission, _ store: LaneStore) {
        let key = postman.key
        self.init(
            key: { try key.make() },
            secret: { try key.secret(of: $0, $1).text },
            objection: { admission.objection(to: $0) },
            test: { try await postman.test($0, noting: store) },
            standings: { try await store.places(of: $0).mapValues(WebhookStanding.init) },
            deliveries: { try await store.deliveries(to: $0, before: $1, limit: $2) }
        )
    }
}

extension Postman {
    /// Sends a message that says nothing; it moves no lane.
    fileprivate func test(
        _ webhook: Webhook,
        noting store: LaneStore
    ) async throws -> WebhookDelivery {
        let id = UUID().text
        let body = #"{"type":"Test","webhook":""# + webhook.id.text + #""}"#
        let message = WebhookMessage(id: id, body: Array(body.utf8))
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
