import HTTPTypes
import PlimsollDomain
import PlimsollJSON
import PlimsollLog
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

/// What witnesses say of the checkpoints.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct CosignatureRouteTests {
    private let path = "/v1/log/cosignatures"

    @Test func `lines of witnesses stand under the checkpoint, and in proofs`() async throws {
        let (first, second) = (try cosigner("w1.example.com"), try cosigner("w2.example.com"))
        try await ServiceFixture.with(witnesses: [first, second]) { service in
            let signed = try await service.sign()
            let lines = try [first, second].map { try $0.line(under: signed, at: 1_800_000_000) }
            for line in lines {
                let note = try signed.adding([line])
                let answer = try await service.send(
                    .post,
                    path,
                    as: .auditor,
                    bytes: note.bytes
                )
                #expect(answer.status == .ok)
            }
            let all = try signed.adding(lines).bytes
            let shown = try await service.send(.get, "/v1/log/checkpoint", as: .auditor)
            #expect(shown.bytes == all)
            let proven = try await service.send(.get, "/v1/events/1/proof", as: .auditor)
            #expect(try LogProof(parsing: proven.bytes).checkpoint.bytes == all)
        }
    }

    @Test func `of one witness the first line stays`() async throws {
        let witness = try cosigner("w1.example.com")
        try await ServiceFixture.with(witnesses: [witness]) { service in
            let signed = try await service.sign()
            let first = try signed.adding([try witness.line(under: signed, at: 1)]).bytes
            let second = try signed.adding([try witness.line(under: signed, at: 2)]).bytes
            for note in [first, first, second] {
                let answer = try await service.send(.post, path, as: .auditor, bytes: note)
                #expect(answer.status == .ok)
                #expect(answer.bytes == first)
            }
        }
    }

    @Test func `an older checkpoint keeps its lines, and the newest gets none of them`()
        async throws
    {
        let witness = try cosigner("w1.example.com")
        try await ServiceFixture.with(witnesses: [witness]) { service in
            let older = try await service.sign()
            try await service.apply(Edits.minimum("3.1.0"))
            let newer = try await service.sign()
            let note = try older.adding([try witness.line(under: older, at: 1)]).bytes
            let answer = try await service.send(.post, path, as: .auditor, bytes: note)
            #expect(answer.bytes == note)
            let shown = try await service.send(.get, "/v1/log/checkpoint", as: .auditor)
            #expect(shown.bytes == newer.bytes)
        }
    }

    @Test func `lines by others are left aside`() async throws {
        let (witness, stranger) = (try cosigner("w1.example.com"), try cosigner("w2.example.com"))
        try await ServiceFixture.with(witnesses: [witness]) { service in
            let signed = try await service.sign()
            let known = try witness.line(under: signed, at: 1)
            let note = try signed.adding([try stranger.line(under: signed, at: 1), known]).bytes
            let answer = try await service.send(.post, path, as: .auditor, bytes: note)
            #expect(try answer.bytes == signed.adding([known]).bytes)
        }
    }

    // Goal: nothing is kept that a known witness has not said of a checkpoint of this log.
    // Method: every bad twin of a good note, each with the error that names what is wrong.
    @Test func `what no witness says of this log is refused, and leaves no trace`() async throws {
        let (witness, stranger) = (try cosigner("w1.example.com"), try cosigner("w2.example.com"))
        try await ServiceFixture.with(witnesses: [witness]) { service in
            let signed = try await service.sign()
            let root = signed.checkpoint.root
            let otherRoot = MerkleRoot(size: root.size, hash: .leaf([1]))
            let otherSize = MerkleRoot(size: root.size + 1, hash: root.hash)
            let line = try witness.line(under: signed, at: 1)
            let other = try log(otherRoot)
            let twins: [(bytes: [UInt8], status: Int, code: String)] = [
                ([], 422, "noteMalformed"),
                (line.line, 422, "noteMalformed"),
                (Array("{}".utf8), 422, "noteMalformed"),
                (Array(try signed.adding([line]).bytes.dropLast()), 422, "noteMalformed"),
                (signed.bytes, 422, "witnessUnknown"),
                (
                    try signed.adding([try stranger.line(under: signed, at: 1)]).bytes, 422,
                    "witnessUnknown"
                ),
                (
                    try signed.adding([line, try witness.line(under: other, at: 1)]).bytes, 422,
                    "lineWrong"
                ),
                (
                    try other.adding([try witness.line(under: other, at: 1)]).bytes, 409,
                    "checkpointDiffers"
                ),
                (
                    try cosigned(try log(otherSize), by: witness), 404, "checkpointUnknown"
                ),
                (
                    try cosigned(try log(root, named: "elsewhere.example.com"), by: witness), 409,
                    "checkpointDiffers"
                ),
            ]
            for twin in twins {
                let answer = try await service.send(.post, path, as: .auditor, bytes: twin.bytes)
                #expect(answer.status.code == twin.status, "\(twin.code)")
                #expect(answer.json["errors"]?.array?.first?["code"]?.string == twin.code)
            }
            let huge = signed.bytes + [UInt8](repeating: 0x61, count: 1 << 18)
            let answer = try await service.send(.post, path, as: .auditor, bytes: huge)
            #expect(answer.status == .contentTooLarge)
            let shown = try await service.send(.get, "/v1/log/checkpoint", as: .auditor)
            #expect(shown.bytes == signed.bytes)
        }
    }

    @Test func `only auditors of everything bring lines`() async throws {
        let witness = try cosigner("w1.example.com")
        try await ServiceFixture.with(witnesses: [witness]) { service in
            let note = try cosigned(try await service.sign(), by: witness)
            for role in [Role.viewer, .proposer, .approver] {
                let answer = try await service.send(.post, path, as: role, bytes: note)
                #expect(answer.status == .forbidden, "\(role)")
            }
            let nobody = try await service.send(.post, path, bytes: note)
            #expect(nobody.status == .unauthorized)
        }
    }

    private func cosigner(_ name: String) throws -> Cosigner {
        try Cosigner(SignerKey(name: try #require(KeyName(name)), kind: .cosignature))
    }

    /// The checkpoint of another log.
    private func log(
        _ root: MerkleRoot,
        named name: String = "log.example.com/harbour"
    ) throws -> SignedCheckpoint {
        try LogSigner(SignerKey(name: try #require(KeyName(name)), kind: .note)).sign(root)
    }

    private func cosigned(_ signed: SignedCheckpoint, by witness: Cosigner) throws -> [UInt8] {
        try signed.adding([try witness.line(under: signed, at: 1)]).bytes
    }
}

extension Cosigner {
    /// The line of a witness that believes whoever signed.
    fileprivate func line(
        under signed: SignedCheckpoint,
        at posixSeconds: Int
    ) throws -> NoteSignature {
        let name = try #require(KeyName(signed.checkpoint.origin.text))
        let trusted = try LogSigner(SignerKey(name: name, kind: .note))
        switch try trusted.sign(signed.checkpoint.root).verification(
            by: LogTrust(logKeys: [trusted.verifierKey])
        ) {
        case .verified(let verified): return try cosign(verified, posixSeconds: posixSeconds)
        case .refused(let refusal): throw refusal
        }
    }
}
