import FoundationEssentials
import PlimsollAPI
import PlimsollDomain
import PlimsollStore
import PlimsollTestSupport
import PlimsollService
import Testing

/// Keys that are added and brought on in their life, and what becomes of their private halves.
@Suite(.scratchDatabase(template: houseTemplate), .timeLimit(.minutes(5)))
struct KeyTests {
    private func add(
        _ place: KeyPlace = .made,
        in house: House,
        by caller: Caller? = nil,
        _ mode: WriteOptions.Mode = .commit
    ) async throws -> KeyView {
        try await house.useCases.addKey(
            KeyForm(place: place),
            to: harbour,
            house.request(by: caller ?? house.administrator, mode)
        )
    }

    private func turn(
        _ key: KeyView,
        _ turn: TurnKey.Turn,
        in house: House,
        _ mode: WriteOptions.Mode = .commit
    ) async throws -> KeyView {
        try await house.useCases.turnKey(
            key.record.id,
            turn,
            seen: house.useCases.key(key.record.id, for: house.administrator).since,
            reason: nil,
            house.request(by: house.administrator, mode)
        )
    }

    @Test func `a key that is added is the one that is kept, and it goes its way`() async throws {
        try await House.with { house in
            try await house.register()
            let added = try await add(in: house)
            #expect(added.state == .added)
            #expect(added.since == house.head)
            #expect(house.keys.kept.contains(added.record.id))
            let active = try await turn(added, .activate, in: house)
            #expect(active.state == .active)
            #expect(active.since == house.head)
            #expect(try await turn(added, .retire, in: house).state == .retired)
            #expect(try await turn(added, .compromise, in: house).state == .compromised)
            let listed = try house.useCases.keys(for: house.administrator)
            #expect(Set(listed.map(\.state)) == [.active, .compromised])
        }
    }

    @Test func `what is only tried is kept nowhere and has no event`() async throws {
        try await House.with { house in
            try await house.register()
            let (kept, head) = (house.keys.kept, house.head)
            let tried = try await add(in: house, .dryRun)
            #expect(tried.state == .added)
            #expect(tried.since == nil)
            #expect(house.keys.kept == kept)
            let added = try await add(in: house)
            let after = house.head
            #expect(after > head)
            #expect(try await turn(added, .activate, in: house, .dryRun).since == nil)
            #expect(house.head == after)
        }
    }

    @Test func `whoever may not add keys makes none`() async throws {
        try await House.with { house in
            try await house.register()
            let made = house.keys.made
            let responder = try await house.caller(.responder, .approver)
            let found = try await objections { _ = try await add(in: house, by: responder) }
            #expect(found == [.roleMissing(.admin, .app(harbour))])
            #expect(house.keys.made == made)
        }
    }

    // Goal: who is asked for the role before the log is read does not use it once more. Method: another
    // instance takes it away, and this one looks at the log when it writes.
    @Test func `a role that was just taken away elsewhere adds no key`() async throws {
        try await House.with(lookingEvery: .seconds(3600)) { house in
            try await house.register()
            let grant = RoleGrant(.admin, in: .app(harbour))
            let admin = try await house.caller(.admin, in: .app(harbour))
            let (kept, made) = (house.keys.kept, house.keys.made)
            try await House.with(.untouched, clock: house.clock) { other in
                try await other.revoke(grant, of: admin.principal)
            }
            let found = try await objections { _ = try await add(in: house, by: admin) }
            #expect(found == [.roleMissing(.admin, .app(harbour))])
            // It was made before that was known, and is gone.
            #expect(house.keys.made == made + 1 && house.keys.kept == kept)
        }
    }

    @Test func `the same request again makes no second key`() async throws {
        try await House.with { house in
            try await house.register()
            let request = house.request(by: house.administrator, named: "first")
            let first = try await house.useCases.addKey(
                KeyForm(place: .made),
                to: harbour,
                request
            )
            let kept = house.keys.kept
            let again = try await house.useCases.addKey(
                KeyForm(place: .made),
                to: harbour,
                request
            )
            #expect(again == first)
            #expect(house.keys.kept == kept)
        }
    }

    // Method: the log is lost between the key and its event.
    @Test func `a key that the log may name is kept, and none is made for a log that is lost`()
        async throws
    {
        try await House.with { house in
            try await house.register()
            let loss = Prohibition(.logBehind, "It lost events.")
            house.keys.whenMade { [writer = house.writer] in writer.forbid(because: loss) }
            for _ in 1...2 {
                await #expect(throws: UseCaseError.readOnly(loss)) { try await add(in: house) }
                #expect(house.keys.made == 2)
                #expect(house.keys.kept.count == 2)
            }
        }
    }

    @Test func `a key that was there before is not taken away with a refusal`() async throws {
        try await House.with { house in
            try await house.register()
            let own = try #require(try house.useCases.keys(for: house.administrator).first)
            let kept = house.keys.kept
            let found = try await objections {
                _ = try await add(.file(own.record.id), in: house)
            }
            #expect(found == [.keyExists(own.record.id)])
            #expect(house.keys.kept == kept)
        }
    }

    @Test func `a place without a key is named where it was asked for`() async throws {
        try await House.with { house in
            try await house.register()
            let name = try #require(EnvironmentName("PLIMSOLL_SIGNING_KEY"))
            let found = try await objections {
                _ = try await add(.environment(name, nil), in: house)
            }
            #expect(
                found == [.keyPlaceUnusable(reason: "nothing is there", at: "/environment")]
            )
        }
    }

    @Test func `a key that cannot sign is not activated`() async throws {
        try await House.with { house in
            try await house.register()
            let added = try await add(in: house)
            house.keys.spoil(added.record.id)
            let head = house.head
            let found = try await objections { _ = try await turn(added, .activate, in: house) }
            #expect(
                found == [.signerUnusable(added.record.id, reason: "its signer is away")]
            )
            #expect(house.head == head)
        }
    }

    @Test func `a key of another app is none that one has heard of`() async throws {
        try await House.with { house in
            try await house.register()
            let own = try #require(try house.useCases.keys(for: house.administrator).first)
            try await house.register(slug("quay"))
            let stranger = try await house.caller(.admin, in: .app(slug("quay")))
            let seen = try house.useCases.keys(for: stranger).map(\.record.app)
            #expect(seen == [slug("quay")])
            let found = try await objections {
                _ = try house.useCases.key(own.record.id, for: stranger)
            }
            #expect(found == [.keyUnknown(own.record.id)])
        }
    }
}
