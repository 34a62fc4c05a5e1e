package import PlimsollDomain
import PlimsollLog
import PlimsollPublishing
import PlimsollSystem

/// Looks at the log as it is published in a data folder, with nothing else.
package struct PublishedLogCheck: Sendable {
    private let export: ExportFolder

    /// How the published log was found.
    package enum Finding: Equatable, Sendable {
        /// Nothing was published yet.
        case none
        /// The checkpoint covers so many events, and the tiles are its own.
        case whole(Position)
        case damaged(String)
    }

    /// Takes the absolute path of the data folder.
    package init(data: String) {
        export = ExportFolder(Path(data) / "export")
    }

    package func run() async -> Finding {
        do {
            let limit = SignedNote.byteCountMaximum
            guard let bytes = try export.logCheckpoint.readIfPresent(sizeMaximum: limit) else {
                return .none
            }
            guard let key = try TileStore(export).key() else {
                return .damaged("\(export.logKey) is no verifier key.")
            }
            let outside = try OutsideCheckpoint(
                parsing: bytes,
                from: "\(export.logCheckpoint)",
                trusting: key,
                published: publicReading(of: export.log)
            )
            let tree = PublishedTree(publicReading(of: export.log))
            guard try await tree.isWhole(under: outside.checkpoint.root) else {
                return .damaged(
                    "The tiles in \(export.logTiles) are not those of the checkpoint over"
                        + " \(outside.size) events."
                )
            }
            return .whole(Position(outside.size))
        } catch let failure as LogCheckFailure {
            return .damaged(failure.description)
        } catch {
            return .damaged("\(error)")
        }
    }
}

/// The tiles that are published under a checkpoint, held against the tree that was signed.
struct PublishedTree: Sendable {
    private let tiles: PublishedTiles

    init(_ read: @escaping PublicReading) {
        tiles = PublishedTiles(read: read)
    }

    /// The first tile that is not what the leaves make, or is missing.
    func damage(under leaves: some Sequence<MerkleHash>) async throws -> TileAddress? {
        var builder = TileBuilder()
        for leaf in leaves {
            for tile in builder.append(leaf: leaf) where try await !has(tile) {
                return tile.address
            }
        }
        for tile in builder.partialTiles where try await !has(tile) { return tile.address }
        return nil
    }

    /// Whether every tile is what the checkpoint was signed over, as far as they tell themselves.
    func isWhole(under root: MerkleRoot) async throws -> Bool {
        guard let leaves = try await tiles.leaves(of: root) else { return false }
        return try await damage(under: leaves) == nil
    }

    private func has(_ tile: HashTile) async throws -> Bool {
        try await tiles.tile(tile.address)?.bytes == tile.bytes
    }
}

extension TileAddress {
    /// The first event whose hash the tile is made of.
    var firstEvent: Position {
        Position((index << (8 * (level + 1))) + 1)
    }
}

/// Reads what is published under a name such as `manifest.json` or `tile/0/000`; `nil` where there
/// is nothing of that name.
package typealias PublicReading = @Sendable (_ name: String) async throws -> [UInt8]?

/// Reads the files of a folder, by its absolute path.
package func publicReading(ofFolder folder: String) -> PublicReading {
    publicReading(of: Path(folder))
}

func publicReading(of folder: Path) -> PublicReading {
    { name in
        let parts = name.split(separator: "/")
        let file = parts.reduce(folder) { $0 / String($1) }
        return try file.readIfPresent(sizeMaximum: 64 << 20)
    }
}

/// The tiles of a published log, fetched as they are needed.
struct PublishedTiles {
    let read: PublicReading

    /// The tile, or the full one where a partial one is gone already.
    func tile(_ address: TileAddress) async throws -> HashTile? {
        if let bytes = try await read(address.path) { return HashTile(address, bytes: bytes) }
        guard !address.isFull, let bytes = try await read(address.full.path) else { return nil }
        return HashTile(address.full, bytes: bytes)?.narrowed(to: address.width)
    }

    /// The hashes that a proof is made of.
    func hashes(of outline: ProofOutline, size: Int) async throws -> TileHashes? {
        var hashes = TileHashes()
        for address in outline.tiles(size: size) {
            guard let tile = try await tile(address) else { return nil }
            hashes.insert(tile)
        }
        return hashes
    }

    /// The leaves of the tree of so many, if all of them are there and lead to its root.
    func leaves(of root: MerkleRoot) async throws -> [MerkleHash]? {
        var frontier = MerkleFrontier()
        var leaves: [MerkleHash] = []
        while leaves.count < root.size {
            let width = min(TileAddress.fullWidth, root.size - leaves.count)
            let index = leaves.count / TileAddress.fullWidth
            guard
                let address = TileAddress(.hashes(level: 0), index: index, width: width),
                let tile = try await tile(address)
            else { return nil }
            for leaf in tile.hashes { frontier.append(leaf: leaf) }
            leaves += tile.hashes
        }
        return frontier.root == root ? leaves : nil
    }
}
