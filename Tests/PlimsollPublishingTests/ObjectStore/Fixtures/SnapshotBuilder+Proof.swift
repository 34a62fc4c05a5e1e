import Foundation
import PlimsollDocuments
import PlimsollDomain
import PlimsollLog
import PlimsollPublishing
import PlimsollStore
import PlimsollTestSupport
import Testing

/// A log that was told of snapshots, with a key of its own.
struct BuiltLog {
    let signer: LogSigner

    init(_ name: String = "log.example.com/harbour") throws {
        signer = try LogSigner(SignerKey(name: try #require(KeyName(name)), kind: .note))
    }

    var trust: LogTrust { LogTrust(logKeys: [signer.verifierKey]) }

    /// The record of a snapshot as the service tells it.
    func entry(
        of snapshot: VerifiedSnapshot,
        by actor: PrincipalID = .system,
        reason: Reason? = nil
    ) throws -> [UInt8] {
        let manifest = snapshot.manifest.manifest
        let record = PublicationRecord(
            sequence: manifest.sequence,
            position: manifest.issue.position,
            manifestDigest: ContentDigest(of: snapshot.manifest.bytes).hex,
            keys: manifest.signers.sorted()
        )
        let event = Event.export(.snapshotPublished(record))
        return try entry(event, in: .export(manifest.app), by: actor, reason)
    }

    func entry(
        _ event: Event,
        in stream: StreamName,
        by actor: PrincipalID = .system,
        _ reason: Reason? = nil
    ) throws -> [UInt8] {
        try EventCodec.encode(
            RecordedEvent(
                position: Position(1),
                id: UUID(),
                stream: stream,
                revision: Revision(1),
                recordedAt: testNow,
                command: CommandID(UUID()),
                origin: Origin(
                    actor: actor,
                    authentication: .service,
                    correlation: UUID(),
                    reason: reason
                ),
                event: event
            )
        )
    }

    /// Under a checkpoint over so many events, of which the last is the entry.
    func proof(of entry: [UInt8], size: Int = 3) throws -> EntryProof {
        let others = (1..<size).map { MerkleHash.leaf([UInt8($0)]) }
        let tree = MerkleTree(leaves: others + [.leaf(entry)])
        return EntryProof(
            entry: entry,
            inclusion: tree.inclusionProof(of: size - 1, size: size),
            checkpoint: try signer.sign(tree.root)
        )
    }

    func proof(of snapshot: VerifiedSnapshot, size: Int = 3) throws -> SnapshotProof {
        try SnapshotProof(try proof(of: entry(of: snapshot), size: size))
    }
}
