import PlimsollLog
import Testing

/// What a log gives up, in its own words.
struct CheckpointOverrideTests {
    private let root = MerkleRoot(size: 7, hash: .leaf([1]))

    private func signer(_ name: String = "log.example.com") throws -> LogSigner {
        try LogSigner(SignerKey(name: #require(KeyName(name)), kind: .note))
    }

    @Test func `what was given up is read by whoever trusts the key`() throws {
        let signer = try signer()
        let note = try signer.giveUp(root, keeping: 3)
        let read = try #require(
            CheckpointOverride(parsing: note.bytes, signedBy: [signer.verifierKey])
        )
        #expect(read == CheckpointOverride(of: root, keeping: 3, origin: signer.origin))
    }

    @Test func `another key, and every letter that is changed, gives nothing up`() throws {
        let signer = try signer()
        let bytes = try signer.giveUp(root, keeping: 3).bytes
        let stranger = try self.signer().verifierKey
        #expect(CheckpointOverride(parsing: bytes, signedBy: [stranger]) == nil)
        #expect(CheckpointOverride(parsing: bytes, signedBy: []) == nil)
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1
            let read = CheckpointOverride(parsing: changed, signedBy: [signer.verifierKey])
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
            let read = CheckpointOverride(parsing: checkpoint.bytes, signedBy: [signer.verifierKey])
            #expect(read == nil)
        }
    }
}
