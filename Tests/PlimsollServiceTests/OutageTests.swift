import Logging
import PlimsollAPI
import PlimsollDomain
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
@testable import PlimsollService
import Testing

@Suite(.scratchDatabase(template: houseTemplate), .timeLimit(.minutes(5)))
struct OutageTests {
    @Test func `before the log is read nothing is answered, and it says so`() async throws {
        try await House.with(.none) { house in
            await #expect(throws: UseCaseError.storeAway) {
                try await house.useCases.apps(for: house.administrator)
            }
            #expect(throws: UseCaseError.storeAway) {
                try house.useCases.authenticate(secret: TokenSecret.random().text)
            }
            await #expect(throws: UseCaseError.storeAway) { try await house.register() }
            guard case .notReady(let sentences) = house.useCases.readiness else {
                Issue.record("it says that it is ready")
                return
            }
            #expect(sentences.count == 1 && sentences[0].contains("database"))
        }
    }

    @Test func `that a question was not asked or not answered is told to the log`() {
        for (phase, isTold) in [
            (.statement, true), (.turn, true), (.connect, false), (.pool, false),
        ] as [(PostgresError.Phase, Bool)] {
            #expect(PostgresError(.timedOut(phase)).isUnanswered == isTold)
        }
    }

    @Test func `read models that do not come on are said, and lists are not given old`()
        async throws
    {
        try await House.with(.withoutProjector) { house in
            try await house.register()
            guard case .notReady(let sentences) = house.useCases.readiness else {
                Issue.record("it says that it is ready")
                return
            }
            #expect(sentences.first?.contains("\(house.head)") == true)
            await #expect(throws: UseCaseError.storeAway) {
                try await house.useCases.changes(
                    ChangeQuery(app: harbour),
                    for: house.administrator
                )
            }
            let live = try await house.useCases.document(
                of: harbour,
                on: .ios,
                at: .live,
                for: house.administrator
            )
            #expect(live.position == house.head)
        }
    }

    @Test func `a question that takes too long is no outage to the operator`() async throws {
        try await House.with(.none) { house in
            let lines = LogLines()
            let late = PostgresError(.timedOut(.statement), statement: "SELECT every\n  event")
            for error in [late, LogError.database(late)] as [any Error] {
                await withLogger(lines.logger) { _ in
                    _ = await #expect(throws: UseCaseError.storeAway) {
                        try await house.useCases.read { () async throws -> Void in throw error }
                    }
                }
            }
            #expect(lines.all.count == 2)
            #expect(lines.all.allSatisfy { $0.contains("statement: SELECT every event") })
        }
    }

    @Test func `what no wait mends is no outage to anybody`() {
        let kinds: [PostgresError.Kind] = [
            .connectFailed, .connectionLost, .cancelled, .closed, .timedOut(.pool),
        ]
        for kind in kinds {
            #expect(UseCaseError(reading: PostgresError(kind)) == .storeAway)
        }
        let error = PostgresError(.decoding, "there is no column 4", statement: "SELECT 1")
        let cause = UseCaseError.unexpected(
            "a value from PostgreSQL is not what was asked for: there is no column 4,"
                + " statement: SELECT 1"
        )
        #expect(UseCaseError(reading: error) == cause)
        #expect(UseCaseError(reading: LogError.database(error)) == cause)
    }

    @Test func `a write of a moment ago does not make it less than ready`() async throws {
        try await House.with { house in
            try await house.register()
            #expect(await house.useCases.hasCaughtUp())
            #expect(house.useCases.readiness == .ready)
            for _ in 1...50 {
                _ = try await house.caller(.viewer)
                #expect(house.useCases.readiness == .ready)
            }
        }
    }
}
