import FoundationEssentials
import PlimsollDocuments
import PlimsollDomain
import PlimsollLog
import PlimsollTestSupport
import Testing

@testable import PlimsollServer

/// What whoever has the content key makes phones and examiners believe.
@Suite(.timeLimit(.minutes(5)))
struct SnapshotLieTests {
    private func withHistory(_ body: (PublicHistory) async throws -> Void) async throws {
        try await withFolder { folder in
            var publication = try Publication(in: folder)
            try publication.tellLog()
            try await body(try PublicHistory(publication))
        }
    }

    private func expectMismatch(
        _ check: SnapshotCheck,
        at place: String,
        _ part: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let mismatch = await #expect(throws: SnapshotMismatch.self, sourceLocation: sourceLocation)
        {
            try await check.run()
        }
        let found = try #require(mismatch, sourceLocation: sourceLocation)
        #expect(found.place == place, "\(found)", sourceLocation: sourceLocation)
        #expect(found.sentence.contains(part), "\(found)", sourceLocation: sourceLocation)
    }

    @Test func `what is published is proven, and how far`() async throws {
        try await withHistory { history in
            var history = history
            let files = try history.files()
            let size = history.entries.count
            for grown in 0...2 {
                let finding = try await history.check(files).run()
                #expect(finding.checkpoint.root.size == size + grown)
                #expect(finding.record?.size == size)
                #expect(finding.record?.position == Position(size))
                #expect(finding.record?.cosignatures == 0)
                try history.grow()
            }
        }
    }

    @Test func `two documents under one sequence are not both proven`() async throws {
        try await withHistory { history in
            let other = history.check(try history.withOtherDocument())
            try await expectMismatch(other, at: "proof.json", "recorded another manifest under")
        }
    }

    @Test func `approvers who do not exist are not proven`() async throws {
        try await withHistory { history in
            let digest = try #require(ChangeDigest(hex: String(repeating: "a", count: 64)))
            let approval = ChangeApproval(
                by: PrincipalID(UUID()),
                digest: digest,
                position: Position(2)
            )
            let invented = try history.forged { manifest in
                manifest.basis = SnapshotBasis(
                    changes: [
                        AppliedChange(
                            id: .first,
                            digest: digest,
                            position: Position(3),
                            approvals: [approval]
                        )
                    ],
                    rollbacks: [],
                    access: Revision(7)
                )
            }
            let check = history.check(invented)
            try await expectMismatch(check, at: "proof.json", "recorded another manifest under")
        }
    }

    // Whoever has the content key alone makes up a log for what they signed.
    @Test func `a proof under a log of the thief's own is none`() async throws {
        try await withHistory { history in
            var files = try history.withOtherDocument()
            let manifest = try #require(files[Manifest.fileName])
            let entry = try history.entry(of: manifest)
            for name in [PublicHistory.origin, "log.example.com/other"] {
                let key = SignerKey(name: try #require(KeyName(name)), kind: .note)
                let proof = try history.proof(of: entry, signedBy: LogSigner(key))
                files[Manifest.proofFileName] = proof.bytes
                let mismatch = await #expect(throws: SnapshotMismatch.self) {
                    try await history.check(files).run()
                }
                #expect(mismatch?.place == "proof.json")
            }
        }
    }

    // Whoever has both keys has to show every reader another log.
    @Test func `with the log's key as well, the log is seen to fork`() async throws {
        try await withHistory { history in
            var files = try history.withOtherDocument()
            let entry = try history.entry(of: try #require(files[Manifest.fileName]))
            files[Manifest.proofFileName] = try history.proof(of: entry).bytes
            try await expectMismatch(history.check(files), at: "checkpoint", "the log forked")
        }
    }

    @Test func `no bit of a proof can be flipped`() async throws {
        try await withHistory { history in
            var files = try history.files()
            let honest = try #require(files[Manifest.proofFileName])
            for place in honest.indices {
                var changed = honest
                changed[place] ^= 1 << UInt8(place % 8)
                files[Manifest.proofFileName] = changed
                let mismatch = await #expect(throws: SnapshotMismatch.self) {
                    try await history.check(files).run()
                }
                #expect(mismatch?.place == "proof.json", "byte \(place)")
            }
        }
    }

    @Test func `without a proof nothing is proven, unless that is accepted`() async throws {
        try await withHistory { history in
            var files = try history.files()
            let honest = try #require(files[Manifest.proofFileName])
            files[Manifest.proofFileName] = nil
            var check = history.check(files)
            try await expectMismatch(check, at: "proof.json", "It follows within seconds")
            check.acceptsUnproven = true
            #expect(try await check.run().record == nil)
            files[Manifest.proofFileName] = Array(honest.dropLast())
            var damaged = history.check(files)
            damaged.acceptsUnproven = true
            try await expectMismatch(damaged, at: "proof.json", "")
        }
    }

    @Test func `a quorum of witnesses is demanded, and each counts once`() async throws {
        try await withHistory { history in
            let witnesses = try ["w1.example.com", "w2.example.com", "w3.example.com"].map {
                try Cosigner(SignerKey(name: try #require(KeyName($0)), kind: .cosignature))
            }
            let keys = witnesses.map(\.verifierKey)
            var files = try history.files()
            let lone = history.check(files, witnesses: keys, quorum: 1)
            try await expectMismatch(lone, at: "proof.json", "has 0 of the 1 cosignatures")
            files[Manifest.proofFileName] = try history.proof(
                cosignedBy: [witnesses[0], witnesses[0], witnesses[2]]
            ).bytes
            let seen = try await history.check(files, witnesses: keys, quorum: 2).run()
            #expect(seen.record?.cosignatures == 2)
            let three = history.check(files, witnesses: keys, quorum: 3)
            try await expectMismatch(three, at: "proof.json", "has 2 of the 3 cosignatures")
            let strangers = history.check(files, witnesses: [keys[1]], quorum: 1)
            try await expectMismatch(strangers, at: "proof.json", "has 0 of the 1 cosignatures")
        }
    }

    @Test func `a checkpoint that is older than the proof is told of`() async throws {
        try await withHistory { history in
            var ahead = history
            try ahead.grow()
            let files = try ahead.files()
            try history.publishLog()
            let check = history.check(files)
            try await expectMismatch(
                check,
                at: "checkpoint",
                "Where a cache lags behind, ask again"
            )
        }
    }
}
