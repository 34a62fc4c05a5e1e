/// What was published: position, digests and keys.
package struct PublicationRecord: Equatable, Sendable {
    package let sequence: SnapshotSequence
    package let position: Position
    /// SHA-256 of the manifest: 64 lower-case hexadecimal digits.
    package let manifestDigest: String
    package let keys: [KeyID]

    package init(
        sequence: SnapshotSequence,
        position: Position,
        manifestDigest: String,
        keys: [KeyID]
    ) {
        self.sequence = sequence
        self.position = position
        self.manifestDigest = manifestDigest
        self.keys = keys
    }
}
