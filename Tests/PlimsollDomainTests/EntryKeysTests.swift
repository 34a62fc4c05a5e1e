import PlimsollTestSupport
import Testing

@testable import PlimsollDomain

@Suite struct EntryKeysTests {
    private let first = EntryKeyID("0123456789abcdef0123456789abcdef")
    private let second = EntryKeyID("fedcba9876543210fedcba9876543210")

    @Test func `a key is added by the service or an administrator of everything`()
        throws
    {
        let first = try #require(first)
        let given = try Given.harbourApp()
        given.when(
            AddEntryKey(first, reason: nil, by: .system),
            then: [.service(.entryKey(.added(first)))]
        )
        given.when(
            AddEntryKey(first, reason: nil, by: alice),
            refusedBy: .roleMissing(.admin, .all)
        )
    }

    @Test func `a key is retired once another was in use for a minute`() throws {
        let (first, second) = (try #require(first), try #require(second))
        let given = try Given.harbourApp().at(testNow)
            .when(AddEntryKey(first, reason: nil, by: .system))
        let retire = RetireEntryKey(first, reason: nil, by: root)
        given.when(retire, refusedBy: .entryKeyInUse(first))
        given.when(
            RetireEntryKey(second, reason: nil, by: root),
            refusedBy: .entryKeyUnknown(second)
        )
        let both = given.when(AddEntryKey(second, reason: nil, by: root))
        both.when(AddEntryKey(second, reason: nil, by: root), refusedBy: .nothingChanges)
        both.when(retire, refusedBy: .entryKeyInUse(first))
        let later = both.at(testNow.advanced(by: RetireEntryKey.overlap))
        later.when(retire, then: [.service(.entryKey(.retired(first)))])
        later.when(
            RetireEntryKey(first, reason: nil, by: alice),
            refusedBy: .roleMissing(.admin, .all)
        )
        later.when(RetireEntryKey(second, reason: nil, by: root), refusedBy: .entryKeyInUse(second))
        later.when(retire).when(retire, refusedBy: .nothingChanges)
    }

    @Test func `an entry needs a key from where the first was added, and one that counts there`()
        throws
    {
        let (first, second) = (try #require(first), try #require(second))
        var keys = EntryKeys()
        #expect(keys.flaw(of: nil, at: Position(9)) == nil)
        keys.evolve(.added(first), recorded(at: 4))
        keys.evolve(.added(second), recorded(at: 6))
        keys.evolve(.retired(first), recorded(at: 8))
        #expect(keys.current?.key == second)
        #expect(keys.flaw(of: nil, at: Position(3)) == nil)
        #expect(keys.flaw(of: nil, at: Position(4)) == .missing)
        #expect(keys.flaw(of: first, at: Position(3)) == nil)
        #expect(keys.flaw(of: first, at: Position(8)) == nil)
        #expect(keys.flaw(of: first, at: Position(9)) == .retired(first))
        #expect(keys.flaw(of: second, at: Position(9)) == nil)
        let stranger = try #require(EntryKeyID(String(repeating: "7", count: 32)))
        #expect(keys.flaw(of: stranger, at: Position(9)) == .unknown(stranger))
    }

    // Readers of one process go through the log at different places.
    @Test func `what is known already changes nothing`() throws {
        let (first, second) = (try #require(first), try #require(second))
        var keys = EntryKeys()
        keys.evolve(.added(first), recorded(at: 4))
        keys.evolve(.added(second), recorded(at: 6))
        keys.evolve(.retired(first), recorded(at: 8))
        let known = keys
        keys.evolve(.added(first), recorded(at: 4))
        keys.evolve(.retired(first), recorded(at: 8))
        #expect(keys == known)
    }

    @Test(arguments: ["", "0123456789abcdef", "0123456789ABCDEF0123456789ABCDEF", "x"])
    func `a key is named by 32 small digits`(text: String) {
        #expect(EntryKeyID(text) == nil)
    }

    private func recorded(at position: Int) -> RecordedEvent {
        recordedEvent(
            .service(.accountForgotten),
            in: .service,
            at: Instant(millisecondsSince1970: 0),
            Position(position)
        )
    }
}
