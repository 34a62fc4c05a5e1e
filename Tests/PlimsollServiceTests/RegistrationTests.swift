import PlimsollAPI
import PlimsollDomain
import PlimsollStore
import PlimsollTestSupport
import PlimsollService
import Testing

@Suite(.scratchDatabase(template: houseTemplate), .timeLimit(.minutes(5)))
struct RegistrationTests {
    @Test func `an app's key is the one that is kept`() async throws {
        try await House.with { house in
            let app = try await house.register()
            #expect(app.isDefault)
            #expect(app.position == house.head)
            #expect(Set(house.writer.logState.keyring.keys.keys) == house.keys.kept)
            #expect(house.keys.kept.count == 1)
        }
    }

    @Test func `a refused registration keeps no key`() async throws {
        try await House.with { house in
            try await house.register()
            let before = house.head
            #expect(try await objections { try await house.register() } == [.appExists(harbour)])
            #expect(house.head == before)
            #expect(house.keys.made == 2)
            #expect(house.keys.kept.count == 1)
        }
    }

    @Test func `whoever may not register makes no key at all`() async throws {
        try await House.with { house in
            let proposer = try await house.caller(.proposer, .responder, .auditor)
            let found = try await objections {
                _ = try await house.useCases.registerApp(
                    RegistrationForm(slug: harbour, settings: settings()),
                    house.request(by: proposer)
                )
            }
            #expect(found == [.roleMissing(.admin, .app(harbour))])
            #expect(house.keys.made == 0)
        }
    }

    @Test func `a registration that is only tried makes no key and writes nothing`() async throws {
        try await House.with { house in
            let before = house.head
            _ = try await house.useCases.registerApp(
                RegistrationForm(slug: harbour, settings: settings()),
                house.request(by: house.administrator, .dryRun)
            )
            #expect(house.head == before)
            #expect(house.keys.made == 0)
        }
    }

    @Test func `a repeated registration is answered as before, and its second key goes`()
        async throws
    {
        try await House.with { house in
            let registration = RegistrationForm(slug: harbour, settings: try settings())
            let request = house.request(by: house.administrator, named: "first")
            let first = try await house.useCases.registerApp(registration, request)
            let kept = house.keys.kept
            let second = try await house.useCases.registerApp(registration, request)
            #expect(second == first)
            #expect(house.keys.kept == kept)
        }
    }

    @Test func `a registration under a used name keeps no key, and that of the app stays`()
        async throws
    {
        try await House.with { house in
            let administrator = house.administrator
            _ = try await house.useCases.registerApp(
                RegistrationForm(slug: harbour, settings: settings()),
                house.request(by: administrator, named: "key", saying: "one")
            )
            let kept = house.keys.kept
            await #expect(throws: UseCaseError.keyReused) {
                _ = try await house.useCases.registerApp(
                    RegistrationForm(slug: slug("quay"), settings: settings()),
                    house.request(by: administrator, named: "key", saying: "two")
                )
            }
            #expect(house.keys.made == 2)
            #expect(house.keys.kept == kept)
        }
    }

    // Method: the log is lost between the key and its event; the answer is the same where that
    // event was sent, and nobody knows what became of it.
    @Test func `a key that the log may name is kept, and none is made for a log that is lost`()
        async throws
    {
        try await House.with { house in
            let loss = Prohibition(.logBehind, "It lost events.")
            house.keys.whenMade { [writer = house.writer] in writer.forbid(because: loss) }
            for _ in 1...2 {
                await #expect(throws: UseCaseError.readOnly(loss)) { try await house.register() }
                #expect(house.keys.made == 1)
                #expect(house.keys.kept.count == 1)
            }
        }
    }

    @Test func `without a place for the key nothing is registered`() async throws {
        try await House.with { house in
            house.keys.fill()
            let before = house.head
            await #expect(throws: UseCaseError.self) { try await house.register() }
            #expect(house.head == before)
        }
    }

    @Test func `an app of others is not among the visible ones`() async throws {
        try await House.with { house in
            try await house.register()
            try await house.register(slug("quay"))
            let viewer = try await house.caller(.viewer, in: .app(slug("quay")))
            #expect(try await house.useCases.apps(for: viewer).map(\.slug) == [slug("quay")])
            let found = try await objections {
                _ = try await house.useCases.app(harbour, for: viewer)
            }
            #expect(found == [.roleMissing(.viewer, .app(harbour))])
        }
    }
}
