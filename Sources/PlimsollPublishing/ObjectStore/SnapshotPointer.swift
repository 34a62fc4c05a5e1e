import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON

/// Says which snapshot in a store is current: the last thing that a publication writes.
///
/// Nobody signs it, and nobody needs to: what it leads to is signed, and carries its sequence.
struct SnapshotPointer: Equatable {
    let app: AppSlug
    let sequence: SnapshotSequence
    /// Of the manifest.
    let digest: ContentDigest

    static let mediaType = "application/json"

    init(_ snapshot: VerifiedSnapshot) {
        app = snapshot.manifest.manifest.app
        sequence = snapshot.manifest.manifest.sequence
        digest = ContentDigest(of: snapshot.manifest.bytes)
    }

    /// Reads what ``bytes`` gives.
    init(parsing bytes: [UInt8]) throws(JSONIssues) {
        var reader = try ObjectReader(parsing: bytes, limits: JSONLimits(sizeMaximum: 4096))
        let app = reader.string("app", needing: AppSlug.grammar, AppSlug.init)
        let digest = reader.string("manifest", needing: "64 lower-case hexadecimal digits") {
            ContentDigest(hex: $0)
        }
        let sequence = reader.member("sequence", needing: "the sequence of a snapshot") {
            $0.integer.flatMap(SnapshotSequence.init(rawValue:))
        }
        self = try reader.finish {
            guard let app, let digest, let sequence else { return nil as SnapshotPointer? }
            return SnapshotPointer(app: app, sequence: sequence, digest: digest)
        }
    }

    init(app: AppSlug, sequence: SnapshotSequence, digest: ContentDigest) {
        self.app = app
        self.sequence = sequence
        self.digest = digest
    }

    var bytes: [UInt8] {
        let object: JSONObject = [
            "app": .string(app.text),
            "manifest": .string(digest.hex),
            "sequence": .integer(sequence.rawValue),
        ]
        return object.canonicalBytes()
    }

    /// The folder of the snapshot in the store.
    var folder: String { StoreLayout.snapshot(sequence, digest, of: app) }
}
