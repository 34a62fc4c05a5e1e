import PlimsollDocuments
import PlimsollDomain

extension VerifiedSnapshot {
    var sequence: SnapshotSequence { manifest.manifest.sequence }
}

extension PublicationRecord {
    /// What the log is told of a snapshot.
    init(_ snapshot: VerifiedSnapshot) {
        let keys = snapshot.files.flatMap { $0.description.signatures.map(\.keyID) }
        self.init(
            sequence: snapshot.sequence,
            position: snapshot.manifest.manifest.issue.position,
            manifestDigest: ContentDigest(of: snapshot.manifest.bytes).hex,
            keys: Set(keys).sorted()
        )
    }
}
