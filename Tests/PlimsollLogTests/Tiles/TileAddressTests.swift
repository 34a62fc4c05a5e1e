import PlimsollLog
import Testing

@Suite struct TileAddressTests {
    @Test(arguments: [
        ("tile/0/000", 0, 0, 256), ("tile/0/001.p/1", 0, 1, 1), ("tile/1/999", 1, 999, 256),
        ("tile/0/x001/000", 0, 1_000, 256), ("tile/0/x001/067.p/255", 0, 1_067, 255),
        ("tile/2/x001/x234/067", 2, 1_234_067, 256), ("tile/63/000.p/8", 63, 0, 8),
        ("tile/0/x001/x000/000.p/8", 0, 1_000_000, 8),
        ("tile/0/x009/x223/x372/x036/x854/x775/807", 0, Int.max, 256),
    ])
    func `an address and its path are one`(path: String, level: Int, index: Int, width: Int) {
        let address = TileAddress(.hashes(level: level), index: index, width: width)
        #expect(address?.path == path)
        #expect(TileAddress(path: path) == address)
        let entries = TileAddress(.entries, index: index, width: width)
        let beside = path.replacing("tile/\(level)/", with: "tile/entries/")
        #expect(entries?.path == beside)
        #expect(TileAddress(path: beside) == entries)
    }

    @Test(arguments: [
        "", "tile", "tile/", "tile/0", "tile/0/", "/tile/0/000", "tile/0/000/", "tile//000",
        "tile/00/000", "tile/64/000", "tile/-1/000", "tile/x/000", "tile/Entries/000",
        "tile/8/0/000", "tile/0/0", "tile/0/00", "tile/0/0000", "tile/0/x000", "tile/0/x000/000",
        "tile/0/001/067", "tile/0/x01/067", "tile/0/x0001/067", "tile/0/X001/067",
        "tile/0/x001/x067", "tile/0/000.p", "tile/0/000.p/", "tile/0/000.p/0", "tile/0/000.p/256",
        "tile/0/000.p/01", "tile/0/000.p/-1", "tile/0/000.p/+1", "tile/0/000.p/1/", "tile/0/.p/1",
        "tile/0/000.P/1", "tile/0/000.p/1.p/1", "tile/0/x001.p/067", "tile/0/../000", "tile/0/00a",
        "tile/0/\u{660}\u{660}\u{660}", "tile/0/000 ", "checkpoint",
        "tile/0/x009/x223/x372/x036/x854/x775/808", "tile/0/x999/x999/x999/x999/x999/x999/999",
        "tile/0/x999/x999/x999/x999/x999/x999/x999/x999/x999/x999/x999/x999/x999/x999/x999/999",
    ])
    func `a path that is no tile's is refused`(path: String) {
        #expect(TileAddress(path: path) == nil)
    }

    @Test func `an address that no tile has is refused`() {
        #expect(TileAddress(.hashes(level: 64), index: 0) == nil)
        #expect(TileAddress(.hashes(level: -1), index: 0) == nil)
        #expect(TileAddress(.entries, index: -1) == nil)
        #expect(TileAddress(.entries, index: 0, width: 0) == nil)
        #expect(TileAddress(.entries, index: 0, width: 257) == nil)
    }

    @Test func `a tree of 70 000 has the tiles that the specification counts`() {
        let tiles = Array(TileAddress.added(from: 0, to: 70_000))
        func those(_ content: TileAddress.Content) -> [TileAddress] {
            tiles.filter { $0.content == content }
        }
        for content in [TileAddress.Content.hashes(level: 0), .entries] {
            #expect(those(content).count(where: \.isFull) == 273)
            #expect(those(content).last?.path.hasSuffix("/273.p/112") == true)
            #expect(those(content).count == 274)
        }
        #expect(those(.hashes(level: 1)).map(\.path) == ["tile/1/000", "tile/1/001.p/17"])
        #expect(those(.hashes(level: 2)).map(\.path) == ["tile/2/000.p/1"])
        #expect(those(.hashes(level: 3)) == [])
        let exact = TileAddress.added(from: 0, to: 256).map(\.path)
        #expect(exact == ["tile/0/000", "tile/1/000.p/1", "tile/entries/000"])
        #expect(Array(TileAddress.added(from: 70_000, to: 70_000)) == [])
        // Nobody has so many: whoever looks for them sees that from the first.
        let endless = TileAddress.added(from: 0, to: .max)
        #expect(endless.first { _ in true }?.path == "tile/0/000")
    }

    @Test func `a tree has the tiles that it was written with, and none beyond`() {
        for size in [0, 1, 255, 256, 257, 65_535, 65_536, 65_537] {
            let tiles = Array(TileAddress.added(from: 0, to: size))
            #expect(tiles.allSatisfy { $0.isWithin(size: size) })
            let edge = tiles.filter { $0.level == 0 && !$0.isFull }
            #expect(edge.allSatisfy { !$0.isWithin(size: size - 1) })
            let partial = Set(TileAddress.partial(size: size))
            #expect(Set(tiles.filter { !$0.isFull && $0.content != .entries }) == partial)
            for tile in tiles where !tile.isFull { #expect(!tile.full.isWithin(size: size)) }
        }
        let largest = TileAddress(.hashes(level: 63), index: .max)
        #expect(largest?.isWithin(size: .max) == false)
    }
}
