import PlimsollLog
import Testing

@Suite struct TileTests {
    /// Some sizes around every place where a tile ends.
    private static let sizes = [1, 2, 3, 255, 256, 257, 300, 511, 512, 513, 65_535, 65_536, 66_000]
    private static let count = 66_000
    private static let hashes = (0..<count).map { number in
        // Leaves need no hashing here: any 32 bytes that differ will do.
        MerkleHash(bytes: (0..<32).map { UInt8(truncatingIfNeeded: number >> $0) }) ?? .emptyTree
    }
    private static let tree = MerkleTree(leaves: hashes)

    /// Every tile that a builder gave for a size, full ones first.
    private static func tiles(size: Int) -> [HashTile] {
        var builder = TileBuilder()
        let full = hashes.prefix(size).flatMap { builder.append(leaf: $0) }
        return full + builder.partialTiles
    }

    private static let tilesOfAll = tiles(size: count)

    @Test func `a builder gives the tiles that the specification defines`() throws {
        let defined = TileAddress.added(from: 0, to: Self.count).filter { $0.content != .entries }
        #expect(Set(Self.tilesOfAll.map(\.address)) == Set(defined))
        #expect(Self.tilesOfAll.count == defined.count)
        for tile in Self.tilesOfAll {
            for (place, hash) in tile.hashes.enumerated() {
                let index = tile.address.index * 256 + place
                let subtree = PerfectSubtree(level: tile.address.level * 8, index: index)
                if hash != Self.tree.hash(of: subtree) {
                    Issue.record("\(tile.address) at \(place)")
                }
            }
            #expect(HashTile(tile.address, bytes: tile.bytes) == tile)
        }
    }

    @Test func `a builder goes on from its partial tiles, or from wider ones`() throws {
        var builder = TileBuilder()
        var frontier = MerkleFrontier()
        for leaf in Self.hashes {
            _ = builder.append(leaf: leaf)
            frontier.append(leaf: leaf)
            let size = builder.size
            guard Self.sizes.contains(size) else { continue }
            #expect(builder.root == Self.tree.root(size: size))
            #expect(builder.frontier == frontier)
            let wider = try #require(TileBuilder(size: size, tiles: Self.tilesOfAll))
            #expect(wider.root == builder.root)
            var (whole, restored) = (builder, wider)
            if let exact = TileBuilder(size: size, tiles: builder.partialTiles) {
                #expect(exact.partialTiles == builder.partialTiles)
                restored = exact
            } else {
                Issue.record("nothing was restored at \(size)")
            }
            for leaf in Self.hashes.dropFirst(size).prefix(300) {
                #expect(restored.append(leaf: leaf) == whole.append(leaf: leaf))
            }
            #expect(restored.partialTiles == whole.partialTiles)
            #expect(restored.root == whole.root)
        }
    }

    @Test func `a builder does not go on where a tile is missing or too narrow`() throws {
        var builder = TileBuilder()
        for leaf in Self.hashes.prefix(300) { _ = builder.append(leaf: leaf) }
        let partial = builder.partialTiles
        #expect(partial.map(\.address.path) == ["tile/0/001.p/44", "tile/1/000.p/1"])
        for missing in partial {
            #expect(TileBuilder(size: 300, tiles: partial.filter { $0 != missing }) == nil)
        }
        let narrow = try #require(partial[0].narrowed(to: 43))
        #expect(TileBuilder(size: 300, tiles: [narrow, partial[1]]) == nil)
        #expect(TileBuilder(size: 0, tiles: []) == TileBuilder())
    }

    @Test(arguments: sizes)
    func `proofs made from tiles are those made from the tree`(size: Int) throws {
        let all = Dictionary(uniqueKeysWithValues: Self.tilesOfAll.map { ($0.address.full, $0) })
        func fetch(_ outline: ProofOutline) throws -> TileHashes {
            TileHashes(
                try outline.tiles(size: size).map { address in
                    #expect(address.isWithin(size: size))
                    let stored = try #require(all[address.full])
                    return try #require(stored.narrowed(to: address.width))
                }
            )
        }
        for index in Set([0, 1, size / 3, size / 2, size - 1]) where index < size {
            let source = try fetch(ProofOutline(of: index, in: size))
            let proof = try InclusionProof(of: index, in: size, reading: source.hash)
            #expect(proof == Self.tree.inclusionProof(of: index, size: size))
        }
        for old in Set([0, 1, size / 3, size / 2, size - 1, size]) {
            let source = try fetch(ProofOutline(from: old, to: size))
            let proof = try ConsistencyProof(from: old, to: size, reading: source.hash)
            #expect(proof == Self.tree.consistencyProof(from: old, to: size))
        }
    }

    @Test func `a source names the tile that it has not`() throws {
        let tiles = Self.tiles(size: 300)
        let source = TileHashes(tiles.filter { $0.address.path != "tile/0/001.p/44" })
        // The proof needs the subtree of the leaves from 256 to 287 first.
        let needed = try #require(TileAddress(path: "tile/0/001.p/32"))
        #expect(throws: TileMissing(address: needed)) {
            try InclusionProof(of: 3, in: 300, reading: source.hash)
        }
        let narrow = TileHashes([try #require(tiles[0].narrowed(to: 200))])
        #expect(throws: TileMissing.self) {
            try ConsistencyProof(from: 1, to: 256, reading: narrow.hash)
        }
        var wide = narrow
        wide.insert(tiles[0])
        wide.insert(try #require(tiles[0].narrowed(to: 7)))
        #expect(
            try ConsistencyProof(from: 1, to: 256, reading: wide.hash)
                == Self.tree.consistencyProof(from: 1, to: 256)
        )
    }

    @Test func `a file of another length is no tile`() throws {
        let address = try #require(TileAddress(path: "tile/0/000.p/3"))
        let bytes = [UInt8](repeating: 1, count: 96)
        #expect(HashTile(address, bytes: bytes) != nil)
        #expect(HashTile(address.full, bytes: bytes) == nil)
        #expect(HashTile(address, bytes: bytes + [1]) == nil)
        #expect(HashTile(address, bytes: bytes.dropLast()) == nil)
        #expect(HashTile(address, bytes: []) == nil)
        let entries = try #require(TileAddress(path: "tile/entries/000.p/3"))
        #expect(HashTile(entries, bytes: bytes) == nil)
        #expect(HashTile(address, bytes: bytes)?.narrowed(to: 4) == nil)
        #expect(HashTile(address, bytes: bytes)?.narrowed(to: 0) == nil)
    }
}
