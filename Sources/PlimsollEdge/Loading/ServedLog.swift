import PlimsollLog

/// The transparency log as it is served: the newest checkpoint, the key that checks it, and tiles.
struct ServedLog {
    let key: VerifierKey
    let checkpoint: SignedCheckpoint
    private let checkpointAnswer: PreparedResource
    private let keyAnswer: PreparedResource
    private var full: [TileAddress: PreparedResource] = [:]
    private var partial: [TileAddress: PreparedResource] = [:]

    /// Followers look every few seconds; nobody should wait longer for the newest root.
    private static let checkpointCacheControl = "public, max-age=5"
    /// A tile never changes: a longer one has another address.
    private static let tileCacheControl = "public, max-age=31536000, immutable"
    private static let text = "text/plain; charset=utf-8"
    private static let root = "/distribution/log"

    var root: MerkleRoot { checkpoint.checkpoint.root }

    /// `nil` if there is something in it that no answer can carry.
    init?(_ checkpoint: SignedCheckpoint, by key: VerifierKey, after served: ServedLog?) {
        let lifetime = EdgeTable.defaultCacheControl
        guard
            let note = Self.prepare(checkpoint.bytes, Self.text, Self.checkpointCacheControl),
            let verifier = Self.prepare(Array("\(key)\n".utf8), Self.text, lifetime)
        else { return nil }
        (self.key, self.checkpoint) = (key, checkpoint)
        (checkpointAnswer, keyAnswer) = (note, verifier)
        full = served?.full ?? [:]
        partial = served?.partial ?? [:]
    }

    func has(_ address: TileAddress) -> Bool {
        full[address.full] != nil || partial[address] != nil
    }

    /// Adds a tile; a full one stands for the partial ones of its place from then on.
    mutating func add(_ tile: HashTile) {
        let media = "application/octet-stream"
        guard let answer = Self.prepare(tile.bytes, media, Self.tileCacheControl) else { return }
        guard tile.address.isFull else {
            partial[tile.address] = answer
            return
        }
        full[tile.address] = answer
        partial = partial.filter { $0.key.full != tile.address }
    }

    var places: [(paths: [String], resource: PreparedResource)] {
        let tiles = [full, partial].joined().map { address, answer in
            (["\(Self.root)/\(address.path)"], answer)
        }
        return [
            (["\(Self.root)/checkpoint"], checkpointAnswer), (["\(Self.root)/key"], keyAnswer),
        ] + tiles
    }

    /// Hashes cannot be shortened, and the rest is short.
    private static func prepare(
        _ body: [UInt8],
        _ mediaType: String,
        _ cacheControl: String
    ) -> PreparedResource? {
        EdgeResource(paths: [], mediaType: mediaType, signature: nil, body: body)
            .map { PreparedResource($0, cacheControl: cacheControl, encodings: [.identity]) }
    }
}
