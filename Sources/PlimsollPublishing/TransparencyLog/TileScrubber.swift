import PlimsollLog
import PlimsollStore
import PlimsollSystem

/// Looks whether what lies on the disk of the transparency log is what was published.
///
/// The edge of the tree is known, and signed: so from the highest level down every full tile has to have
/// the root that the level above says. What does not is damaged, or gone; it is written again from the
/// log where that leads there, and kept as it was found.
struct TileScrubber {
    let tiles: TileStore
    let files: LogFiles
    let disk: Disk
    let term: ExportTerm

    /// So many tiles of the lowest level are looked at in a scrub.
    static let tilesMaximum = 1000

    /// Answers which files were written again, and the tile to go on with.
    func run(
        _ edge: LogPublisher.Edge,
        from start: Int
    ) async throws -> (mended: [Path], next: Int) {
        let partials = edge.builder.partialTiles
        var mended: [Path] = []
        var above: [MerkleHash] = []
        var next = 0
        for level in (0...TileAddress.levelMaximum).reversed() {
            let count = edge.builder.size >> (8 * level)
            guard count > 0 else { continue }
            let full = count / TileAddress.fullWidth
            let first = level == 0 && start < full ? start : 0
            let last = level == 0 ? min(full, first + Self.tilesMaximum) : full
            var hashes: [MerkleHash] = []
            for index in first..<last {
                guard let address = TileAddress(.hashes(level: level), index: index) else {
                    preconditionFailure("a full tile has an address")
                }
                let (tile, isMended) = try await tile(address, under: above[index])
                if isMended { mended.append(tiles.folder.tile(address)) }
                if level > 0 { hashes += tile.hashes }
            }
            if let partial = partials.first(where: { $0.address.level == level }) {
                let tiles = tiles
                // A start takes a partial tile away that has a full one; what cannot be read is not there.
                let found = try? await disk.run { () throws in try tiles.tile(partial.address) }
                if found != partial {
                    mended += try await mend(partial.bytes, at: tiles.folder.tile(partial.address))
                }
                hashes += partial.hashes
            }
            (above, next) = (hashes, last < full ? last : 0)
        }
        if let note = edge.note { mended += try await mend(note, at: tiles.folder.logCheckpoint) }
        let key = Array((edge.signer.verifierKey.text + "\n").utf8)
        mended += try await mend(key, at: tiles.folder.logKey)
        return (mended, next)
    }

    /// A tile as it has to be, and whether it had to be written again.
    private func tile(
        _ address: TileAddress,
        under root: MerkleHash
    ) async throws -> (HashTile, isMended: Bool) {
        let path = tiles.folder.tile(address)
        let found = try await disk.run { () throws in
            HashTile(address, bytes: try path.bytesUnlessDamaged() ?? [])
        }
        if let found, found.root == root { return (found, false) }
        guard let bytes = try await files.tile(address.path),
            let right = HashTile(address, bytes: bytes), right.root == root
        else { throw PublicLogFailure.foreignTile(path) }
        return (right, !(try await mend(bytes, at: path)).isEmpty)
    }

    /// Answers the path if something else was there.
    private func mend(_ bytes: [UInt8], at path: Path) async throws -> [Path] {
        let (folder, term) = (tiles.folder, term)
        return try await disk.run { () throws in
            if try path.bytesUnlessDamaged() == bytes { return [] }
            try folder.keepDamaged(path, below: "log")
            try path.parent.createFolder()
            try term.write(bytes, to: path)
            return [path]
        }
    }
}

extension Path {
    /// `nil` where nothing is there, or nothing that can be read.
    fileprivate func bytesUnlessDamaged() throws(FileError) -> [UInt8]? {
        do throws(FileError) {
            return try readIfPresent(sizeMaximum: SignedNote.byteCountMaximum)
        } catch {
            guard error.isDamage else { throw error }
            return nil
        }
    }
}
