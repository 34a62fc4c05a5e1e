import PlimsollDocuments
import PlimsollDomain

/// One object of a publication: what is written, where, and what tells it from another one.
struct PublishedObject {
    let key: String
    let content: NewObject
    /// Of the body and all that is kept with it, so that a look at the head says whether what is
    /// in the store is this.
    let digest: ContentDigest

    static let sequenceHeader = "x-amz-meta-plimsoll-sequence"
    static let digestHeader = "x-amz-meta-plimsoll-digest"
    /// The event whose state an object shows that is there to be looked at, and never live.
    static let inspectionHeader = "x-amz-meta-plimsoll-inspection"

    init(
        _ key: String,
        _ body: [UInt8],
        mediaType: String,
        cacheControl: String,
        signature: DistributionSignature? = nil,
        sequence: SnapshotSequence
    ) {
        let signed = signature?.headers ?? []
        let description = ([mediaType, cacheControl] + signed.map(\.value)).joined(separator: "\n")
        let digest = ContentDigest(of: Array("\(description)\n".utf8) + body)
        self.key = key
        self.digest = digest
        content = NewObject(
            body,
            mediaType: mediaType,
            cacheControl: cacheControl,
            metadata: signed + [
                (name: Self.digestHeader, value: digest.hex),
                (name: Self.sequenceHeader, value: "\(sequence)"),
            ]
        )
    }

    /// Whether the store has it already, whoever brought it there.
    func isWhat(_ found: StoredObject) -> Bool { found.header(Self.digestHeader) == digest.hex }

    /// The snapshot that an object in the store was written for; `nil` where others wrote it.
    static func sequence(of found: StoredObject) -> SnapshotSequence? {
        found.header(sequenceHeader).flatMap { Int64($0) }
            .flatMap(SnapshotSequence.init(rawValue:))
    }
}
