import FoundationEssentials
import PlimsollDomain
import PlimsollTestSupport
import Testing

/// The life of signing keys.
@Suite struct KeyTests {
    private let because: Reason
    private let first = KeyTests.record(1)
    private let second = KeyTests.record(2)

    init() throws {
        because = try Reason(validating: "Because.")
    }

    private static func record(_ byte: UInt8, of app: AppSlug = harbour) -> KeyRecord {
        KeyRecord(id: KeyID(UUID()), app: app, publicKey: [byte])
    }

    private func given() throws -> Given {
        try Given.harbourApp().when(
            .system,
            (.keys, .key(.keyAdded(first))),
            (.keys, .key(.keyActivated(first.id, app: harbour)))
        )
    }

    private func add(_ key: KeyRecord, by principal: PrincipalID = root) -> AddKey {
        AddKey(key, reason: nil, by: principal)
    }

    /// By somebody who has seen the key as it is.
    private func turn(
        _ key: KeyRecord,
        _ turn: TurnKey.Turn,
        in given: Given,
        by principal: PrincipalID = root
    ) -> TurnKey {
        TurnKey(
            key.id,
            turn,
            seen: given.logState.keyring.keys[key.id]?.since,
            reason: because,
            by: principal
        )
    }

    private func active(_ given: Given) -> Set<KeyID> {
        Set(given.logState.keyring.activeKeys(of: harbour).map(\.record.id))
    }

    @Test func `a key is added, activated beside the first, and the first is retired`() throws {
        let added = try given().when(add(second))
        #expect(added.logState.keyring.keys[second.id]?.state == .added)
        #expect(added.logState.keyring.keys[second.id]?.firstActivated == nil)
        #expect(active(added) == [first.id])
        let both = added.when(turn(second, .activate, in: added))
        #expect(active(both) == [first.id, second.id])
        let rotated = both.when(turn(first, .retire, in: both))
        #expect(active(rotated) == [second.id])
        #expect(rotated.logState.keyring.keys[first.id]?.state == .retired)
    }

    @Test func `every turn is one event, which orders a publication of the key's app`() throws {
        let added = try given().when(add(second))
        added.when(
            turn(second, .activate, in: added),
            then: [.key(.keyActivated(second.id, app: harbour))]
        )
        let both = added.when(turn(second, .activate, in: added))
        both.when(
            turn(first, .retire, in: both),
            then: [.key(.keyRetired(first.id, app: harbour))]
        )
        let compromise = turn(first, .compromise, in: both)
        both.when(compromise, then: [.key(.keyCompromised(first.id, app: harbour))])
        #expect(both.when(compromise).events.last?.ordersPublication == harbour)
        #expect(both.events.last?.ordersPublication == harbour)
        #expect(added.events.last?.ordersPublication == nil)
    }

    @Test func `a retirement that came too early ends, and the key keeps its seniority`() throws {
        let start = try given()
        let since = try #require(start.logState.keyring.keys[first.id]?.firstActivated)
        var next = start.when(add(second))
        next = next.when(turn(second, .activate, in: next))
        next = next.when(turn(first, .retire, in: next))
        next = next.when(turn(first, .activate, in: next))
        #expect(active(next) == [first.id, second.id])
        #expect(next.logState.keyring.keys[first.id]?.firstActivated == since)
        #expect(try #require(next.logState.keyring.keys[first.id]).since > since)
    }

    @Test(arguments: [TurnKey.Turn.retire, .compromise])
    func `the last key that signs cannot be lost, and the refusal says what to do`(
        way: TurnKey.Turn
    ) throws {
        let start = try given()
        start.when(
            turn(first, way, in: start),
            refusedBy: .lastActiveKey(first.id, harbour, standby: [])
        )
        let added = start.when(add(second))
        let objection = Objection.lastActiveKey(first.id, harbour, standby: [second.id])
        added.when(turn(first, way, in: added), refusedBy: objection)
        #expect(objection.remedy.contains("activate the key \(second.id)"))
        // The key of another app is no help.
        let ferry = slug("ferry")
        let other = added.when(
            .system,
            (.app(ferry), .app(.appRegistered(try settings()))),
            (.keys, .key(.keyAdded(Self.record(3, of: ferry))))
        )
        other.when(turn(first, way, in: other), refusedBy: objection)
    }

    @Test func `a compromised key is compromised for good`() throws {
        var next = try given().when(add(second))
        next = next.when(turn(second, .activate, in: next))
        next = next.when(turn(first, .compromise, in: next))
        #expect(active(next) == [second.id])
        next.when(turn(first, .activate, in: next), refusedBy: .keyCompromised(first.id))
        next.when(turn(first, .retire, in: next), refusedBy: .keyCompromised(first.id))
        next.when(turn(first, .compromise, in: next), refusedBy: .nothingChanges)
    }

    @Test func `a key that never signed, or signs no more, can be given up`() throws {
        let added = try given().when(add(second))
        let retired = added.when(turn(second, .retire, in: added))
        #expect(retired.logState.keyring.keys[second.id]?.state == .retired)
        let lost = retired.when(turn(second, .compromise, in: retired))
        #expect(lost.logState.keyring.keys[second.id]?.state == .compromised)
        #expect(active(lost) == [first.id])
    }

    @Test func `what is so already is not done again`() throws {
        let start = try given()
        start.when(turn(first, .activate, in: start), refusedBy: .nothingChanges)
    }

    @Test func `of two who saw the same key the second is told`() throws {
        let added = try given().when(add(second))
        let early = turn(second, .activate, in: added)
        let seen = try #require(early.seen)
        let retired = added.when(turn(second, .retire, in: added))
        let current = try #require(retired.logState.keyring.keys[second.id]?.since)
        retired.when(early, refusedBy: .keyDiffers(second.id, seen: seen, current: current))
        let blind = TurnKey(second.id, .activate, seen: nil, reason: nil, by: root)
        retired.when(blind, refusedBy: .keyUnseen(second.id, current: current))
    }

    @Test func `a compromise needs not say what it saw, but what it says has to be so`() throws {
        var next = try given().when(add(second))
        next = next.when(turn(second, .activate, in: next))
        let current = try #require(next.logState.keyring.keys[first.id]?.since)
        next.when(
            TurnKey(first.id, .compromise, seen: nil, reason: because, by: root),
            then: [.key(.keyCompromised(first.id, app: harbour))]
        )
        next.when(
            TurnKey(first.id, .compromise, seen: .start, reason: because, by: root),
            refusedBy: .keyDiffers(first.id, seen: .start, current: current)
        )
    }

    @Test func `a key is added once, under one name, to an app there is`() throws {
        let start = try given()
        start.when(add(first), refusedBy: .keyExists(first.id))
        let sameHalf = KeyRecord(id: KeyID(UUID()), app: harbour, publicKey: first.publicKey)
        start.when(add(sameHalf), refusedBy: .keyExists(first.id))
        let sameName = KeyRecord(id: first.id, app: harbour, publicKey: [9])
        start.when(add(sameName), refusedBy: .keyExists(first.id))
        start.when(
            add(Self.record(3, of: slug("ferry"))),
            refusedBy: .appUnknown(slug("ferry"))
        )
    }

    @Test func `no more keys sign than every file of a snapshot has room for`() throws {
        var next = try given()
        for number in 2...TurnKey.activeMaximum {
            let key = Self.record(UInt8(number))
            next = next.when(add(key))
            next = next.when(turn(key, .activate, in: next))
        }
        let one = Self.record(100)
        next = next.when(add(one))
        next.when(
            turn(one, .activate, in: next),
            refusedBy: .activeKeysFull(harbour, maximum: TurnKey.activeMaximum)
        )
    }

    @Test func `administrators keep keys, and a responder may say that one leaked`() throws {
        let ready = try given().when(add(second))
        let both = ready.when(turn(second, .activate, in: ready))
        let scope = Scope.app(harbour)
        for person in [alice, bob, rita] {
            ready.when(
                add(Self.record(3), by: person),
                refusedBy: .roleMissing(.admin, scope)
            )
            for way in [TurnKey.Turn.activate, .retire] {
                let key = way == .activate ? second : first
                let given = way == .activate ? ready : both
                given.when(
                    turn(key, way, in: given, by: person),
                    refusedBy: .roleMissing(.admin, scope)
                )
            }
        }
        both.when(
            turn(first, .compromise, in: both, by: rita),
            then: [.key(.keyCompromised(first.id, app: harbour))]
        )
        both.when(
            turn(first, .compromise, in: both, by: alice),
            refusedBy: .roleMissing(.responder, scope)
        )
    }

    @Test func `to a stranger, and under a wrong id, there is no key`() throws {
        let start = try given()
        let stranger = PrincipalID(UUID())
        start.when(
            turn(first, .compromise, in: start, by: stranger),
            refusedBy: .keyUnknown(first.id)
        )
        start.when(turn(second, .activate, in: start), refusedBy: .keyUnknown(second.id))
    }
}
