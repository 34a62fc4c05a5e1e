import Crypto
import PlimsollLog
import Testing

@Suite struct NoteSignaturesTests {
    private let fixture = LogFixture()

    @Test func `a note is verified by whoever trusts one of its keys`() throws {
        let signed = try fixture.signed(size: 3)
        guard case .verified(let found) = signed.note.verification(by: [fixture.logKey]) else {
            Issue.record("the note was refused")
            return
        }
        #expect(found.map(\.key) == [fixture.logKey])
        #expect(found.map(\.posixSeconds) == [nil])
    }

    @Test func `an independent verifier accepts what is signed`() throws {
        let signed = try fixture.signed(size: 3)
        let key = try Curve25519.Signing.PublicKey(
            rawRepresentation: fixture.logKey.publicKey
        )
        let signature = try #require(signed.note.signatures.first).signature
        #expect(key.isValidSignature(signature, for: signed.note.text))
        #expect(!key.isValidSignature(signature, for: signed.note.text.dropLast()))
    }

    @Test func `a signature by a stranger is ignored, wherever it stands`() throws {
        let signed = try fixture.signed(size: 3)
        let stranger = try LogFixture(log: "stranger.example").signed(size: 3).note.signatures
        let before = try SignedNote(
            text: signed.note.text,
            signatures: stranger + signed.note.signatures
        )
        let behind = try signed.note.adding(stranger)
        for note in [before, behind] {
            guard case .verified(let found) = note.verification(by: [fixture.logKey]) else {
                Issue.record("the note was refused")
                continue
            }
            #expect(found.map(\.key) == [fixture.logKey])
        }
        let alone = try SignedNote(text: signed.note.text, signatures: stranger)
        #expect(alone.verification(by: [fixture.logKey]) == .refused(.noKnownSignature))
        #expect(signed.note.verification(by: []) == .refused(.noKnownSignature))
    }

    @Test func `a line with the name or the id of a key, but not both, is by a stranger`() throws {
        let signed = try fixture.signed(size: 3)
        let line = try #require(signed.note.signatures.first)
        let other = LogFixture(log: "other.example").logKey
        #expect(other.publicKey == fixture.logKey.publicKey)
        #expect(signed.note.verification(by: [other]) == .refused(.noKnownSignature))
        let samePublicKey = try fixture.key(other.name.text, .cosignature).verifierKey
        #expect(signed.note.verification(by: [samePublicKey]) == .refused(.noKnownSignature))
        #expect(line.name == fixture.logKey.name)
    }

    @Test func `one wrong line by a known key spoils the note`() throws {
        let signed = try fixture.signed(size: 3)
        let wrong = try fixture.signed(size: 4).note.signatures
        let note = try signed.note.adding(wrong)
        let refusal = NoteRefusal.wrongSignature(fixture.logKey.name, fixture.logKey.id)
        #expect(note.verification(by: [fixture.logKey]) == .refused(refusal))
    }

    @Test(arguments: [0, 1, 63, 65, 72, 128])
    func `a signature of another length is wrong`(count: Int) throws {
        let text = try fixture.signed(size: 3).note.text
        let raw = fixture.logKey.idBytes + [UInt8](repeating: 0, count: count)
        let line = "\u{2014} \(fixture.logKey.name) \(base64(raw))\n"
        let note = bytes(String(decoding: text, as: UTF8.self) + "\n" + line)
        guard count > 0 else {
            #expect(throws: NoteError.malformedSignature(line: 1)) {
                try SignedNote(parsing: note)
            }
            return
        }
        let refusal = NoteRefusal.wrongSignature(fixture.logKey.name, fixture.logKey.id)
        let parsed = try SignedNote(parsing: note)
        #expect(parsed.verification(by: [fixture.logKey]) == .refused(refusal))
    }

    @Test func `two lines by one key both have to be right`() throws {
        let signed = try fixture.signed(size: 3)
        let twice = try signed.note.adding(signed.note.signatures)
        guard case .verified(let found) = twice.verification(by: [fixture.logKey]) else {
            Issue.record("the note was refused")
            return
        }
        #expect(found.count == 2)
    }
}
