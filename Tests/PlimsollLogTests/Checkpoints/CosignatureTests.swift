import PlimsollLog
import Testing

@Suite struct CosignatureTests {
    private let fixture = LogFixture()

    private var trust: LogTrust {
        LogTrust(
            logKeys: [fixture.logKey],
            witnesses: [fixture.witnessKey],
            witnessesNeeded: 1
        )
    }

    private func line(size: Int = 7, at time: Int = 1_790_000_000) throws -> NoteSignature {
        try fixture.cosigner.cosign(fixture.verified(size: size), posixSeconds: time)
    }

    @Test(arguments: [0, 1, 1_790_000_000, Int.max])
    func `a cosignature says when the checkpoint was seen`(time: Int) throws {
        let signed = try fixture.signed(size: 7).adding([line(at: time)])
        guard case .verified(let checkpoint) = signed.verification(by: trust) else {
            Issue.record("the checkpoint was refused")
            return
        }
        #expect(checkpoint.cosignatures.map(\.key) == [fixture.witnessKey])
        #expect(checkpoint.cosignatures.map(\.posixSeconds) == [time])
        #expect(checkpoint.root == fixture.tree.root(size: 7))
    }

    @Test func `a checkpoint without enough witnesses is refused`() throws {
        let signed = try fixture.signed(size: 7)
        #expect(
            signed.verification(by: trust).refusal == .tooFewWitnesses(found: 0, needed: 1)
        )
        #expect(signed.verification(by: fixture.trust).isVerified)
    }

    @Test func `a witness does not stand for the log`() throws {
        let text = try fixture.signed(size: 7).note.text
        let note = try SignedNote(text: text, signatures: [line()])
        let signed = try SignedCheckpoint(parsing: note.bytes)
        #expect(signed.verification(by: trust).refusal == .notByTheLog)
    }

    @Test func `a cosignature of another checkpoint spoils the note`() throws {
        let signed = try fixture.signed(size: 7).adding([line(size: 8)])
        let witness = fixture.witnessKey
        #expect(
            signed.verification(by: trust).refusal
                == .note(.wrongSignature(witness.name, witness.id))
        )
        #expect(signed.verification(by: fixture.trust).isVerified)
    }

    @Test func `the time is signed as well`() throws {
        let honest = try line()
        for bit in 0..<64 {
            var raw = fixture.witnessKey.idBytes + honest.signature
            raw[4 + bit / 8] ^= 1 << UInt8(bit % 8)
            let text = "\u{2014} \(honest.name) \(base64(raw))\n"
            let signed = try fixture.signed(size: 7).adding(NoteSignature.parse(bytes(text)))
            #expect(!signed.verification(by: trust).isVerified, "bit \(bit)")
        }
    }

    @Test func `one public key under two names is one witness`() throws {
        let twin = try Cosigner(fixture.key("twin.example", .cosignature, seed: 9))
        let twinLine = try twin.cosign(fixture.verified(size: 7), posixSeconds: 5)
        let signed = try fixture.signed(size: 7).adding([line(), twinLine])
        let two = LogTrust(
            logKeys: [fixture.logKey],
            witnesses: [fixture.witnessKey, twin.verifierKey],
            witnessesNeeded: 2
        )
        #expect(signed.verification(by: two).refusal == .tooFewWitnesses(found: 1, needed: 2))
        let other = try Cosigner(fixture.key("other.example", .cosignature, seed: 10))
        let otherLine = try other.cosign(fixture.verified(size: 7), posixSeconds: 6)
        let three = LogTrust(
            logKeys: [fixture.logKey],
            witnesses: [fixture.witnessKey, twin.verifierKey, other.verifierKey],
            witnessesNeeded: 2
        )
        #expect(try signed.adding([otherLine]).verification(by: three).isVerified)
    }

    @Test func `a line that is there already is not added again`() throws {
        let once = try fixture.signed(size: 7).adding([line()])
        #expect(try once.adding([line(at: 1_790_000_001)]).note.signatures.count == 3)
        #expect(try once.adding(once.note.signatures) == once)
    }

    @Test func `a key of the other kind cannot be trusted`() async {
        await #expect(processExitsWith: .failure) {
            _ = LogTrust(logKeys: [LogFixture().witnessKey])
        }
        await #expect(processExitsWith: .failure) {
            let fixture = LogFixture()
            _ = LogTrust(logKeys: [fixture.logKey], witnesses: [fixture.logKey])
        }
    }
}
