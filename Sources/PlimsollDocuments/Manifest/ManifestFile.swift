package import PlimsollDomain

/// One file of a snapshot, as the manifest describes it.
package struct ManifestFile: Equatable, Sendable {
    package let name: FileName
    package let mediaType: String
    /// In bytes.
    package let length: Int
    package let digest: ContentDigest
    /// The publication this file is from; older than the snapshot's where nothing changed since.
    package let sequence: SnapshotSequence
    /// One for each key, in the order of their ids.
    package let signatures: [DistributionSignature]

    /// Describes a file as it is; its bytes are not kept.
    package init(
        name: FileName,
        mediaType: String,
        body: [UInt8],
        sequence: SnapshotSequence,
        signatures: [DistributionSignature]
    ) {
        self.init(
            name: name,
            mediaType: mediaType,
            content: (body.count, ContentDigest(of: body)),
            sequence: sequence,
            signatures: signatures
        )
    }

    init(
        name: FileName,
        mediaType: String,
        content: (length: Int, digest: ContentDigest),
        sequence: SnapshotSequence,
        signatures: [DistributionSignature]
    ) {
        self.name = name
        self.mediaType = mediaType
        (length, digest) = content
        self.sequence = sequence
        self.signatures = signatures.sorted { $0.keyID < $1.keyID }
    }
}
