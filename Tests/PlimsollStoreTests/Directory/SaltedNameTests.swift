import PlimsollDomain
import PlimsollStore
import Testing

@Suite struct SaltedNameTests {
    private let salt = (0..<32).map { UInt8($0) }

    // Computed by other means, as docs/reference/proofs.md defines it.
    @Test(arguments: [
        ("alice", "78e19f0eb2bba12a53fc422b637a9701d9dda80b8f273806c747efbc1a99b731"),
        (
            "Dorothea Hammarskjöld",
            "632f6fed032128546b372730dd5b37d643cc15fbf20f39e0db5863d00c5f121c"
        ),
    ])
    func `a commitment is what the page says`(_ name: String, _ digest: String) {
        #expect(SaltedName(name, salt: salt).commitment?.hex == digest)
    }

    @Test func `another name and every other salt are found`() {
        let sound = SaltedName("alice", salt: salt).commitment
        for name in ["alicf", "Alice", "alice ", "", "\u{0}alice"] {
            #expect(SaltedName(name, salt: salt).commitment != sound)
        }
        for bit in 0..<256 {
            var other = salt
            other[bit / 8] ^= 1 << (bit % 8)
            #expect(SaltedName("alice", salt: other).commitment != sound)
        }
        // The end of a salt is not the beginning of a name.
        #expect(SaltedName("\u{1f}alice", salt: Array(salt.dropLast())).commitment == nil)
        #expect(SaltedName("alice", salt: nil).commitment == nil)
    }

    @Test func `no two names have one salt`() {
        let salts = (0..<100).map { _ in SaltedName.made(of: "alice").salt }
        #expect(Set(salts).count == salts.count)
        #expect(salts.allSatisfy { $0?.count == SaltedName.saltSize })
    }
}
