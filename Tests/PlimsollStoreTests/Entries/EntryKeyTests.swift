import Crypto
import FoundationEssentials
import PlimsollDomain
import PlimsollSystem
import PlimsollTestSupport
import Testing

@testable import PlimsollStore

@Suite struct EntryKeyTests {
    private let secret = (0..<32).map { UInt8($0) }

    // Computed with Python's hmac, over the entry as json.dumps writes it without the member.
    @Test func `the authenticator is the HMAC of the entry without it`() throws {
        let key = try #require(EntryKey(secret))
        #expect(key.id.text == "b2c1829471dc8cac4158cae92547fcc8")
        let plain = try EventCodec.encode(EventSamples.bare(.accountForgotten))
        let entry = try EventCodec.encode(EventSamples.bare(.accountForgotten), with: key)
        let code = HMAC<SHA256>.authenticationCode(
            for: plain,
            using: SymmetricKey(data: secret)
        )
        let member = #","authenticator":"\#(key.id)/\#(Data(code).base64EncodedString())""#
        let text = String(decoding: entry, as: UTF8.self)
        #expect(text.contains(member))
        #expect(text.replacing(member, with: "") == String(decoding: plain, as: UTF8.self))
    }

    @Test(arguments: EventType.allCases)
    func `an event is read as it was, and its entry is canonical`(type: EventType) throws {
        let key = try #require(EntryKey(secret))
        let event = try EventSamples.recorded(type)
        let entry = try EventCodec.encode(event, with: key)
        #expect(try EventCodec.decode(entry, at: event.position) == event)
        var verifier = EventDecoder()
        _ = try verifier.decode(entry.span, at: event.position)
        let place = try #require(verifier.authenticator)
        let isAuthentic = key.isAuthentic(entry.span, place)
        #expect(isAuthentic)
        let named = EntryKey.id(in: entry.span, place)
        #expect(named == key.id)
    }

    @Test func `with any byte changed it is authentic no more`() throws {
        let key = try #require(EntryKey(secret))
        let event = try EventSamples.recorded(.changeApproved)
        let entry = try EventCodec.encode(event, with: key)
        for index in entry.indices {
            var changed = entry
            changed[index] ^= 1
            var decoder = EventDecoder()
            guard (try? decoder.decode(changed.span, at: event.position)) != nil,
                let place = decoder.authenticator
            else { continue }
            let isAuthentic = key.isAuthentic(changed.span, place)
            #expect(!isAuthentic, "byte \(index)")
        }
    }

    @Test func `another key makes another one`() throws {
        let (key, other) = (
            try #require(EntryKey(secret)), try #require(EntryKey(secret.reversed()))
        )
        let event = try EventSamples.recorded(.tokenIssued)
        let entry = try EventCodec.encode(event, with: other)
        var decoder = EventDecoder()
        _ = try decoder.decode(entry.span, at: event.position)
        let isAuthentic = key.isAuthentic(entry.span, try #require(decoder.authenticator))
        #expect(!isAuthentic)
    }

    @Test func `a key that was made is found again, by its owner alone`() throws {
        try withFolder { folder in
            let keys = EntryKeyFolder(folder / "entries.keys")
            let first = try keys.first()
            #expect(try keys.first() == first)
            #expect(try keys.key(first.id) == first)
            let made = try keys.make()
            #expect(made != first)
            #expect(try keys.key(made.id) == made)
            let stranger = try #require(EntryKey(secret)).id
            #expect(try keys.key(stranger) == nil)
            let status = try #require(try (keys.path / made.id.text).status())
            #expect(status.permissions == .ownerOnly)
        }
    }

    @Test(arguments: ["", "c2hvcnQ=", "not base64"])
    func `a file that holds no key is an error that names it`(text: String) throws {
        try withFolder { folder in
            let keys = EntryKeyFolder(folder)
            let id = try #require(EntryKey(secret)).id
            let file = folder / id.text
            try file.writeDurably(Array(text.utf8), permissions: .ownerOnly)
            #expect(throws: EntryKeyError.malformed(file)) { try keys.key(id) }
        }
    }

    @Test func `nor does one under another key's name`() throws {
        try withFolder { folder in
            let keys = EntryKeyFolder(folder)
            let id = try #require(EntryKey(secret)).id
            let other = Data(secret.reversed()).base64EncodedString()
            let file = folder / id.text
            try file.writeDurably(Array(other.utf8), permissions: .ownerOnly)
            #expect(throws: EntryKeyError.malformed(file)) { try keys.key(id) }
        }
    }
}
