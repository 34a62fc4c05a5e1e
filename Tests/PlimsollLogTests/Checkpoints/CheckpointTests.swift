import PlimsollLog
import Testing

@Suite struct CheckpointTests {
    private let fixture = LogFixture()

    private static let root = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

    @Test(arguments: [
        ("a\n0\n\(root)\n", 0, []), ("a b+c\n7\n\(root)\n", 7, []),
        ("a\n9223372036854775807\n\(root)\n", Int.max, []),
        ("a\n7\n\(root)\nmore\nand more\n", 7, ["more", "and more"]),
    ])
    func `a checkpoint reads what it wrote`(text: String, size: Int, lines: [String]) throws {
        let checkpoint = try Checkpoint(parsing: bytes(text))
        #expect(checkpoint.root == MerkleRoot(size: size, hash: .emptyTree))
        #expect(checkpoint.extensionLines == lines)
        #expect(checkpoint.text == bytes(text))
    }

    @Test(arguments: [
        ("", CheckpointError.origin), ("a", .origin), ("\n7\n\(root)\n", .origin),
        ("a\n", .size), ("a\n\n\(root)\n", .size), ("a\n07\n\(root)\n", .size),
        ("a\n00\n\(root)\n", .size), ("a\n-7\n\(root)\n", .size), ("a\n+7\n\(root)\n", .size),
        ("a\n7 \n\(root)\n", .size), ("a\n\u{667}\n\(root)\n", .size),
        ("a\n9223372036854775808\n\(root)\n", .size), ("a\n0x7\n\(root)\n", .size),
        ("a\n7\n", .root), ("a\n7\n\n", .root), ("a\n7\n\(root)", .root),
        ("a\n7\n\(root.dropLast())\n", .root), ("a\n7\n\(root)=\n", .root),
        ("a\n7\n47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU=\n", .root),
        ("a\n7\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFV=\n", .root),
        ("a\n7\nAAAA\n", .root), ("a\n7\n \(root)\n", .root),
        ("a\n7\n\(root)\n\n", .extensionLine(1)), ("a\n7\n\(root)\nb\n\n", .extensionLine(2)),
        ("a\n7\n\(root)\nmore", .lineNotEnded),
        ("a\n0\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n", .emptyTree),
    ])
    func `a text that is no checkpoint is refused with its fault`(
        text: String,
        fault: CheckpointError
    ) {
        #expect(throws: fault) { try Checkpoint(parsing: bytes(text)) }
        #expect(fault.description.hasSuffix("."))
    }

    @Test func `extension lines are kept and signed`() throws {
        let text = bytes("log.example\n7\n\(Self.root)\nmore\n")
        let key = try fixture.key("log.example", .note)
        let other = try fixture.signed(size: 7).note.signatures
        let note = try SignedNote(text: text, signatures: other)
        let signed = try SignedCheckpoint(parsing: note.bytes)
        #expect(signed.checkpoint.extensionLines == ["more"])
        #expect(signed.bytes == note.bytes)
        #expect(!signed.verification(by: LogTrust(logKeys: [key.verifierKey])).isVerified)
    }

    @Test func `a log signs under its own name and the root that it is given`() throws {
        for size in 0...20 {
            let signed = try fixture.signed(size: size)
            #expect(signed.checkpoint.origin.text == "log.example")
            #expect(signed.checkpoint.root == fixture.tree.root(size: size))
            #expect(try SignedCheckpoint(parsing: signed.bytes) == signed)
            #expect(signed.verification(by: fixture.trust).isVerified)
        }
    }

    @Test func `a key counts for the log of its own name only`() throws {
        let signed = try fixture.signed(size: 7)
        let stranger = try fixture.key("stranger.example", .note).verifierKey
        let refusal = signed.verification(by: LogTrust(logKeys: [stranger])).refusal
        #expect(refusal == .unknownOrigin(signed.checkpoint.origin))
        // The stranger signs, with a key that is trusted for its own log, what our log never said.
        let theirs = try LogFixture(log: "stranger.example").signed(size: 7)
        let forged = try SignedNote(text: signed.note.text, signatures: theirs.note.signatures)
        let read = try SignedCheckpoint(parsing: forged.bytes)
        let both = LogTrust(logKeys: [stranger, fixture.logKey])
        #expect(read.verification(by: both).refusal == .note(.noKnownSignature))
    }

    @Test func `one of several keys of a log is enough`() throws {
        let next = try fixture.key("log.example", .note, seed: 8).verifierKey
        let signed = try fixture.signed(size: 7)
        let trust = LogTrust(logKeys: [next, fixture.logKey])
        #expect(signed.verification(by: trust).isVerified)
        let refusal = signed.verification(by: LogTrust(logKeys: [next])).refusal
        #expect(refusal == .note(.noKnownSignature))
    }
}
