package import PlimsollSystem
package import PlimsollLog

/// The transparency log as files: tiles that never change, and the checkpoint over them.
///
/// All of it waits for the disk. Only the leader may change anything.
package struct TileStore: Sendable {
    package let folder: ExportFolder

    /// A note with as many lines of witnesses as one may have.
    private static let noteSizeMaximum = SignedNote.byteCountMaximum
    private static let tileSizeMaximum = TileAddress.fullWidth * MerkleHash.byteCount

    package init(_ folder: ExportFolder) {
        self.folder = folder
    }

    /// Makes the folder, and sweeps what a killed exporter left: unfinished files, and partial
    /// tiles beside the full ones.
    package func prepare() throws(FileError) {
        try folder.logTiles.createFolder()
        try folder.log.removeLeftovers()
        try sweep(folder.logTiles)
    }

    /// Publishes the key that checks the checkpoints; another log's key is not replaced.
    package func publish(_ key: VerifierKey) throws(PublicLogFailure) {
        let bytes = Array((key.text + "\n").utf8)
        if let known = try read(folder.logKey) {
            guard known == bytes else { throw .foreignKey(folder.logKey) }
        } else {
            try onDisk { () throws(FileError) in try folder.logKey.writeDurably(bytes) }
        }
    }

    /// The key that is published; `nil` where there is none, or none that checks notes.
    package func key() throws(FileError) -> VerifierKey? { try key(in: folder.log) }

    /// The same of a log that was set aside.
    package func key(in log: Path) throws(FileError) -> VerifierKey? {
        let path = log / folder.logKey.name
        let bytes = try path.readIfPresent(sizeMaximum: Self.noteSizeMaximum)
        guard let line = bytes.map({ String(decoding: $0.dropLast(), as: UTF8.self) }),
            let key = try? VerifierKey(parsing: line), key.kind == .note
        else { return nil }
        return key
    }

    /// Has the tiles on the disk for good, each under its name; what is there already has to be
    /// the same.
    package func add(_ tiles: [HashTile]) throws(PublicLogFailure) {
        for tile in tiles {
            let path = folder.tile(tile.address)
            if let known = try read(path) {
                guard known == tile.bytes else { throw .foreignTile(path) }
                continue
            }
            try onDisk { () throws(FileError) in
                try path.parent.createFolder()
                try path.writeDurably(tile.bytes)
            }
        }
    }

    /// Makes the names of all folders above the tiles last: a writer that was killed may have left
    /// some that do not.
    package func settle(_ tiles: [HashTile]) throws(FileError) {
        var settled: Set<Path> = [folder.root.parent]
        for tile in tiles {
            var place = folder.tile(tile.address).parent
            while settled.insert(place).inserted {
                try place.synchronizeFolder()
                place = place.parent
            }
        }
    }

    /// Whether somebody has taken the folder away, or the key in it, since ``prepare()``.
    package func isEmptied() throws(FileError) -> Bool {
        guard try folder.logKey.status() != nil else { return true }
        return try folder.logTiles.status() == nil
    }

    /// Whether every full tile of a tree is there; nobody looks what is in them.
    package func hasFullTiles(size: Int) throws(FileError) -> Bool {
        for address in TileAddress.added(from: 0, to: size) where address.isFull {
            guard case .hashes = address.content else { continue }
            guard try folder.tile(address).status() != nil else { return false }
        }
        return true
    }

    /// A tile, from the file of the full one if the partial one is gone; `nil` if neither is there.
    package func tile(_ address: TileAddress) throws(FileError) -> HashTile? {
        for stored in address.isFull ? [address] : [address, address.full] {
            let path = folder.tile(stored)
            guard let bytes = try path.readIfPresent(sizeMaximum: Self.tileSizeMaximum) else {
                continue
            }
            return HashTile(stored, bytes: bytes)?.narrowed(to: address.width)
        }
        return nil
    }

    /// What is published now.
    package func checkpoint() throws(PublicLogFailure) -> SignedCheckpoint? {
        guard let bytes = try read(folder.logCheckpoint) else { return nil }
        do throws(CheckpointError) {
            return try SignedCheckpoint(parsing: bytes)
        } catch {
            throw .foreignCheckpoint(folder.logCheckpoint, reason: "\(error)")
        }
    }

    /// Publishes a checkpoint whose tiles are there for good, unless another instance leads by now
    /// or has published a larger one.
    package func publish(_ note: [UInt8], in term: ExportTerm) throws {
        let size = try SignedCheckpoint(parsing: note).checkpoint.root.size
        // What is no checkpoint is replaced.
        if let standing = try? checkpoint()?.checkpoint.root.size, standing > size {
            throw PublicLogFailure.behind(published: standing, recorded: size)
        }
        try term.write(note, to: folder.logCheckpoint)
        try FaultPoint.reached("export.log.switched")
    }

    /// Removes the partial tiles that full ones have replaced.
    package func removePartials(of tiles: [HashTile]) throws(FileError) {
        for tile in tiles where tile.address.isFull {
            try partials(of: folder.tile(tile.address)).removeTree()
        }
        try FaultPoint.reached("export.log.swept")
    }

    private func partials(of tile: Path) -> Path { tile.parent / "\(tile.name).p" }

    private func read(_ path: Path) throws(PublicLogFailure) -> [UInt8]? {
        try onDisk { () throws(FileError) in
            try path.readIfPresent(sizeMaximum: Self.noteSizeMaximum)
        }
    }

    private func onDisk<Result>(
        _ work: () throws(FileError) -> Result
    ) throws(PublicLogFailure) -> Result {
        do throws(FileError) {
            return try work()
        } catch {
            throw .disk(error)
        }
    }

    private func sweep(_ place: Path) throws(FileError) {
        try place.removeLeftovers()
        let names = try place.entries()
        for name in names where try (place / name).status()?.kind == .folder {
            if name.hasSuffix(".p"), names.contains(String(name.dropLast(2))) {
                try (place / name).removeTree()
            } else {
                try sweep(place / name)
            }
        }
    }
}
