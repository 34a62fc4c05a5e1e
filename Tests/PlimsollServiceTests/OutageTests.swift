import PlimsollAPI
import PlimsollDomain
import PlimsollStore
import PlimsollTestSupport
import PlimsollService
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
