import Foundation
import PlimsollAPI
import PlimsollDomain
import PlimsollPostgres
import PlimsollTestSupport
@testable import PlimsollService
import Testing

@Suite(.scratchDatabase(template: houseTemplate), .timeLimit(.minutes(5)))
struct WebhookProgressStoreTests {
    private func attempt(
        _ position: Int,
        at now: Instant = testNow,
        failure: String? = nil
    ) -> Attempt {
        Attempt(
            .event,
            message: "m\(position)",
            position: Position(position),
            attemptedAt: now,
            duration: .milliseconds(7),
            outcome: SendingOutcome(status: failure == nil ? 200 : 500, failure: failure)
        )
    }

    @Test func `a place is read as it was written`() async throws {
        try await HookHouse.with { house in
            let id = WebhookID(UUID())
            #expect(try await house.store.place(of: id) == nil)
            for place in [
                WebhookProgress(
                    delivered: Position(7),
                    replay: WebhookProgress.Stretch(after: Position(2), until: Position(5)),
                    replayTaken: Position(6),
                    enabledAt: Position(3),
                    trouble: WebhookProgress.Trouble(
                        failures: 4,
                        since: testNow,
                        nextAttempt: testNow.advanced(by: .seconds(40)),
                        failure: "it answered 500"
                    )
                ),
                WebhookProgress(
                    delivered: Position(8),
                    replay: nil,
                    replayTaken: Position(6),
                    enabledAt: Position(3),
                    trouble: nil
                ),
            ] {
                try await house.store.save(place, of: id, attempt(8))
                #expect(try await house.store.place(of: id) == place)
            }
            #expect(try await house.deliveries(to: id).count == 2)
        }
    }

    // Goal: a row that the service never writes holds up a queue, and does not end the process that
    // serves phones. Method: it is changed as whoever has the service's login can.
    @Test(
        arguments: [
            "UPDATE webhook.lane SET delivered = -1",
            "UPDATE webhook.lane SET delivered = 9223372036854775807",
            "UPDATE webhook.lane SET replay_after = -1, replay_until = 5",
            "UPDATE webhook.lane SET failures = -1",
            "UPDATE webhook.lane SET failures = 9223372036854775807",
        ] as [Statement]
    )
    func `a place that no queue comes to is refused`(_ forgery: Statement) async throws {
        try await HookHouse.with { house in
            let id = WebhookID(UUID())
            let place = WebhookProgress(
                delivered: Position(7),
                replay: nil,
                replayTaken: .start,
                enabledAt: Position(3),
                trouble: nil
            )
            try await house.store.save(place, of: id, nil)
            let session = try await Session.open(house.connection)
            #expect(try await session.execute(forgery) == 1)
            await session.close()
            await #expect(throws: (any Error).self) { try await house.store.place(of: id) }
        }
    }

    @Test func `attempts are listed newest first, part by part`() async throws {
        try await HookHouse.with { house in
            let id = WebhookID(UUID())
            for position in 1...5 {
                _ = try await house.store.note(attempt(position, failure: "no"), of: id)
            }
            _ = try await house.store.note(attempt(9), of: WebhookID(UUID()))
            let first = try await house.store.deliveries(
                to: id,
                before: nil,
                limit: 2,
                at: testNow
            )
            #expect(first.map(\.answer.position) == [Position(5), Position(4)])
            let rest = try await house.store.deliveries(
                to: id,
                before: first.last?.number,
                limit: 9,
                at: testNow
            )
            #expect(rest.map(\.answer.position) == [Position(3), Position(2), Position(1)])
            #expect(rest.allSatisfy { $0.answer.failure == "no" && $0.answer.status == 500 })
            #expect(rest.allSatisfy { $0.answer.milliseconds == 7 })
            let lifetime = testNow.advanced(by: WebhookProgressStore.deliveriesLifetime)
            for (now, count) in [(lifetime, 5), (lifetime.advanced(by: .milliseconds(1)), 0)] {
                let kept = try await house.store.deliveries(
                    to: id,
                    before: nil,
                    limit: 9,
                    at: now
                )
                #expect(kept.count == count)
            }
        }
    }

    @Test func `no more attempts are kept than so many, and none for too long`() async throws {
        try await HookHouse.with { house in
            let id = WebhookID(UUID())
            let maximum = Int(WebhookProgressStore.deliveriesMaximum)
            for position in 1...maximum + 3 {
                _ = try await house.store.note(attempt(position), of: id)
            }
            var kept = try await house.deliveries(to: id)
            #expect(kept.count == maximum)
            #expect(kept.first?.position == Position(4))
            let later = testNow.advanced(by: WebhookProgressStore.deliveriesLifetime)
                .advanced(by: .milliseconds(1))
            _ = try await house.store.note(attempt(7, at: later), of: id)
            kept = try await house.deliveries(to: id)
            #expect(kept.map(\.position) == [Position(7)])
        }
    }
}
