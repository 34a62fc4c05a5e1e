import PlimsollSystem
import PlimsollLog

/// The transparency log as it is served: the newest checkpoint, the key that checks it, and where
/// the tiles lie.
struct ServedLog {
    let key: VerifierKey
    let checkpoint: SignedCheckpoint
    let tiles: PublishedTiles
    private let checkpointAnswer: PreparedResource
    private let keyAnswer: PreparedResource

    /// Followers look every few seconds; nobody should wait longer for the newest root.
    private static let checkpointCacheControl = "public, max-age=5"
    private static let text = "text/plain; charset=utf-8"
    private static let root = "/distribution/log"

    var root: MerkleRoot { checkpoint.checkpoint.root }

    /// `nil` if there is something in it that no answer can carry.
    init?(_ checkpoint: SignedCheckpoint, by key: VerifierKey, in folder: Path) {
        let lifetime = EdgeTable.defaultCacheControl
        guard
            let note = Self.prepare(checkpoint.bytes, Self.checkpointCacheControl),
            let verifier = Self.prepare(Array("\(key)\n".utf8), lifetime)
        else { return nil }
        (self.key, self.checkpoint) = (key, checkpoint)
        (checkpointAnswer, keyAnswer) = (note, verifier)
        tiles = PublishedTiles(in: folder, size: checkpoint.checkpoint.root.size)
    }

    var places: [EdgePlace] {
        [
            EdgePlace(checkpointAnswer, at: ["\(Self.root)/checkpoint"]),
            EdgePlace(keyAnswer, at: ["\(Self.root)/key"]),
        ]
    }

    /// What is this short is not worth compressing.
    private static func prepare(_ body: [UInt8], _ cacheControl: String) -> PreparedResource? {
        EdgeResource(paths: [], mediaType: text, signature: nil, body: body)
            .map { PreparedResource($0, cacheControl: cacheControl, encodings: [.identity]) }
    }
}
