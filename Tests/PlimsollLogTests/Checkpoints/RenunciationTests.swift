import PlimsollLog
import Testing

/// What a log gives up, in its own words.
struct RenunciationTests {
    private let root = MerkleRoot(size: 7, hash: .leaf([1]))

    private func signer(_ name: String = "log.example.com") throws -> LogSigner {
        try LogSigner(SignerKey(name: #require(KeyName(name)), kind: .note))
    }

    @Test func `what was given up is read by whoever trusts the key`() throws {
        let signer = try signer()
        let note = try signer.giveUp(root, keeping: 3)
        let read = try #require(Renunciation(parsing: note.bytes, signedBy: [signer.verifierKey]))
        #expect(read == Renunciation(of: root, keeping: 3, origin: signer.origin))
    }

    @Test func `another key, and every letter that is changed, gives nothing up`() throws {
        let signer = try signer()
        let bytes = try signer.giveUp(root, keeping: 3).bytes
        let stranger = try self.signer().verifierKey
        #expect(Renunciation(parsing: bytes, signedBy: [stranger]) == nil)
        #expect(Renunciation(parsing: bytes, signedBy: []) == nil)
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1
            let read = Renunciation(parsing: changed, signedBy: [signer.verifierKey])
            #expect(read == nil, "letter \(index)")
        }
    }

    @Test func `neither a checkpoint nor what is given up can be taken for the other`() throws {
        // A log may be called anything, numbers too.
        for name in ["log.example.com", "7", "plimsoll/given-up/v1"] {
            let signer = try signer(name)
            let note = try signer.giveUp(root, keeping: 3)
            #expect(throws: CheckpointError.self) {
                try SignedCheckpoint(parsing: note.bytes)
            }
            let checkpoint = try signer.sign(root)
            let read = Renunciation(parsing: checkpoint.bytes, signedBy: [signer.verifierKey])
            #expect(read == nil)
        }
    }
}
