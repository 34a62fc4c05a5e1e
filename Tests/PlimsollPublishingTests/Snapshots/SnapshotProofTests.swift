import PlimsollDocuments
import PlimsollDomain
import PlimsollEdge
import PlimsollLog
import PlimsollPublishing
import PlimsollTestSupport
import Testing

@Suite struct SnapshotProofTests {
    private let log: BuiltLog
    private let builder: SnapshotBuilder
    private let snapshot: VerifiedSnapshot

    init() throws {
        log = try BuiltLog()
        builder = try SnapshotBuilder()
        snapshot = try builder.snapshot(7)
    }

    @Test func `a proof is of exactly one manifest`() throws {
        let proof = try SnapshotProof(parsing: log.proof(of: snapshot).proof.bytes)
        #expect(proof.position == Position(3))
        #expect(proof.size == 3)
        let verified = try proof.verified(for: snapshot.manifest, by: log.trust)
        #expect(verified.root.size == 3)
        // The same documents, signed once more: chance is in every signature.
        let again = try builder.snapshot(7)
        #expect(again.manifest.bytes != snapshot.manifest.bytes)
        #expect(throws: SnapshotProofRefusal.anotherManifest(again.manifest.manifest.sequence)) {
            try proof.verified(for: again.manifest, by: log.trust)
        }
        let (seven, eight) = (snapshot.manifest.manifest.sequence, try builder.snapshot(8))
        #expect(
            throws: SnapshotProofRefusal.anotherSequence(
                found: seven,
                expected: eight.manifest.manifest.sequence
            )
        ) { try proof.verified(for: eight.manifest, by: log.trust) }
        let quay = try SnapshotBuilder("quay").snapshot(7)
        #expect(throws: SnapshotProofRefusal.anotherApp(found: harbour, expected: slug("quay"))) {
            try proof.verified(for: quay.manifest, by: log.trust)
        }
    }

    @Test func `another log than the trusted one proves nothing`() throws {
        let proof = try log.proof(of: snapshot)
        for name in ["log.example.com/harbour", "other.example.com"] {
            let other = try BuiltLog(name).trust
            #expect(throws: SnapshotProofRefusal.self) {
                try proof.verified(for: snapshot.manifest, by: other)
            }
        }
    }

    @Test func `an entry that is of no publication, or not the service's, is no proof`() throws {
        let failure = Event.export(
            .publicationFailed(sequence: snapshot.manifest.manifest.sequence, cause: "a full disk")
        )
        let others: [(entry: [UInt8], refusal: SnapshotProofRefusal)] = [
            (try log.entry(failure, in: .export(harbour)), .noPublication),
            (try log.entry(.app(.renewalOrdered), in: .app(harbour)), .noPublication),
            (try log.entry(of: snapshot, by: alice), .notTold),
            (
                try log.entry(of: snapshot, reason: try Reason(validating: "Said by a person.")),
                .notTold
            ),
        ]
        for (entry, refusal) in others {
            let bytes = try log.proof(of: entry).bytes
            #expect(throws: refusal) { try SnapshotProof(parsing: bytes) }
        }
        for entry in [[0], Array("{}".utf8), Array(try log.entry(of: snapshot).dropLast())] {
            let bytes = try log.proof(of: entry).bytes
            #expect(throws: SnapshotProofRefusal.self) { try SnapshotProof(parsing: bytes) }
        }
    }

    @Test func `an edge takes what it can check`() throws {
        let proof = try log.proof(of: snapshot)
        let (bytes, manifest) = (proof.proof.bytes, snapshot.manifest)
        let knowing = SnapshotProof.reader(trusting: log.trust)
        let unknowing = SnapshotProof.reader(trusting: LogTrust(logKeys: []))
        let other = try BuiltLog().signer.verifierKey
        #expect(knowing(bytes, manifest, nil) == .proven(cosignatures: 0))
        #expect(knowing(bytes, manifest, other) == .proven(cosignatures: 0))
        #expect(unknowing(bytes, manifest, nil) == .proven(cosignatures: 0))
        #expect(unknowing(bytes, manifest, log.signer.verifierKey) == .proven(cosignatures: 0))
        let refused: [ProofReading] = [
            unknowing(bytes, manifest, other),
            unknowing([], manifest, nil),
            knowing(bytes, try builder.snapshot(8).manifest, nil),
            unknowing(bytes, try builder.snapshot(7).manifest, nil),
            unknowing(try crooked(proof).bytes, manifest, nil),
            unknowing(proof.standing(at: 3).bytes, manifest, nil),
            unknowing(proof.standing(at: .max).bytes, manifest, nil),
        ]
        for reading in refused {
            guard case .refused(let sentence) = reading else {
                Issue.record("\(reading)")
                continue
            }
            #expect(!sentence.isEmpty)
        }
    }

    /// With a path that leads elsewhere.
    private func crooked(_ proof: SnapshotProof) throws -> EntryProof {
        let inclusion = proof.proof.proof.inclusion
        return EntryProof(
            entry: proof.proof.entry,
            inclusion: InclusionProof(
                index: inclusion.index,
                size: inclusion.size,
                path: inclusion.path.map { _ in MerkleHash.leaf([9]) }
            ),
            checkpoint: proof.proof.proof.checkpoint
        )
    }
}

extension SnapshotProof {
    /// With another number of the leaf.
    fileprivate func standing(at index: Int) -> EntryProof {
        let inclusion = proof.proof.inclusion
        return EntryProof(
            entry: proof.entry,
            inclusion: InclusionProof(index: index, size: inclusion.size, path: inclusion.path),
            checkpoint: proof.proof.checkpoint
        )
    }
}
