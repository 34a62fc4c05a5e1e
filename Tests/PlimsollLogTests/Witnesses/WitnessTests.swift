import PlimsollLog
import Testing

@Suite struct WitnessTests {
    private let fixture = LogFixture()

    private func request(from old: Int, to new: Int) throws -> AddCheckpointRequest {
        AddCheckpointRequest(
            proof: fixture.tree.consistencyProof(from: old, to: new),
            checkpoint: try fixture.signed(size: new)
        )
    }

    private func judge(
        _ request: AddCheckpointRequest,
        after last: Int
    ) throws -> WatchedLog.Judgement {
        WatchedLog(trust: fixture.trust, last: fixture.tree.root(size: last)).judge(request)
    }

    @Test func `a request reads what it wrote`() throws {
        for old in 0...20 {
            let request = try request(from: old, to: 20)
            let read = try AddCheckpointRequest(parsing: request.bytes)
            #expect(read == request)
            #expect(read.bytes == request.bytes)
            #expect(request.bytes.starts(with: bytes("old \(old)\n")))
        }
    }

    @Test func `every growth is judged as one`() throws {
        for old in 0...20 {
            for new in old...20 {
                let judgement = try judge(request(from: old, to: new), after: old)
                #expect(judgement == .extends(try fixture.verified(size: new)))
            }
        }
    }

    @Test func `another last size is told`() throws {
        let requests = [(0, 20), (6, 20), (8, 20), (20, 20), (0, 0), (3, 5)]
        for (old, new) in requests {
            let judgement = try judge(request(from: old, to: new), after: 7)
            #expect(judgement == .refused(.conflict(size: 7)))
        }
    }

    @Test func `a proof of another history is refused`() throws {
        let forked = AddCheckpointRequest(
            proof: fixture.tree.consistencyProof(from: 7, to: 20),
            checkpoint: try fixture.forked(size: 20)
        )
        #expect(try judge(forked, after: 7) == .refused(.notConsistent))
    }

    @Test func `another root of the size that was cosigned is a fork`() throws {
        let forked = AddCheckpointRequest(
            proof: fixture.tree.consistencyProof(from: 7, to: 7),
            checkpoint: try fixture.forked(size: 7)
        )
        guard case .forks(let evidence) = try judge(forked, after: 7) else {
            Issue.record("the fork was not seen")
            return
        }
        #expect(evidence.root != fixture.tree.root(size: 7))
    }

    @Test func `logs that are not watched and signatures by others are refused`() throws {
        let stranger = LogFixture(log: "stranger.example")
        let theirs = AddCheckpointRequest(
            proof: stranger.tree.consistencyProof(from: 7, to: 20),
            checkpoint: try stranger.signed(size: 20)
        )
        #expect(try judge(theirs, after: 7) == .refused(.unknownLog))
        let forged = try SignedNote(
            text: fixture.signed(size: 20).note.text,
            signatures: stranger.signed(size: 20).note.signatures
        )
        let request = AddCheckpointRequest(
            proof: theirs.proof,
            checkpoint: try SignedCheckpoint(parsing: forged.bytes)
        )
        #expect(try judge(request, after: 7) == .refused(.notSigned))
    }

    @Test func `a tree that shrinks is malformed`() throws {
        let body = bytes("old 8\n\n") + (try fixture.signed(size: 7).bytes)
        let request = try AddCheckpointRequest(parsing: body)
        guard case .refused(let answer) = try judge(request, after: 8) else {
            Issue.record("the request was taken")
            return
        }
        #expect(answer.status == 400)
    }

    @Test func `a hostile body is refused with its fault`() throws {
        let checkpoint = String(decoding: try fixture.signed(size: 20).bytes, as: UTF8.self)
        let hash = base64(MerkleHash.emptyTree.bytes) + "\n"
        let bodies: [(String, AddCheckpointError)] = [
            ("", .oldSize), ("old\n", .oldSize), ("old 07\n\n\(checkpoint)", .oldSize),
            ("old  7\n\n\(checkpoint)", .oldSize), ("Old 7\n\n\(checkpoint)", .oldSize),
            ("old 7 \n\n\(checkpoint)", .oldSize), ("old 7", .oldSize),
            ("old 7\n", .proofNotEnded), ("old 7\n\(hash)", .proofNotEnded),
            ("old 7\n\(checkpoint)", .proofLine(1)),
            ("old 7\n\(hash)AAAA\n\n\(checkpoint)", .proofLine(2)),
            ("old 7\n\(hash.dropLast(2))\n\n\(checkpoint)", .proofLine(1)),
            (
                "old 7\n\(String(repeating: hash, count: 64))\n\(checkpoint)", .proofNotEnded
            ),
            ("old 7\n\n", .checkpoint(.note(.unsigned))),
            ("old 7\n\n\n\(checkpoint)", .checkpoint(.origin)),
        ]
        for (body, fault) in bodies {
            #expect(throws: fault) { try AddCheckpointRequest(parsing: bytes(body)) }
            #expect(fault.description.hasSuffix("."))
        }
        let most = "old 7\n\(String(repeating: hash, count: 63))\n\(checkpoint)"
        #expect(try AddCheckpointRequest(parsing: bytes(most)).proof.path.count == 63)
    }
}
