import PlimsollLog
import Testing

@Suite struct EntryBundleTests {
    private let address = TileAddress(path: "tile/entries/000.p/3")

    @Test func `a bundle reads what it wrote`() throws {
        let address = try #require(address)
        let longest = [UInt8](repeating: 7, count: EntryBundle.entryByteCountMaximum)
        for entries in [[[], [1], [2, 3]], [longest, [], longest]] {
            let bundle = try #require(EntryBundle(address, entries: entries))
            let read = try #require(EntryBundle(address, bytes: bundle.bytes))
            #expect(read == bundle)
            #expect(read.entries == entries)
            let leaves = try #require(read.leaves)
            #expect(leaves.hashes == entries.map(MerkleHash.leaf))
            #expect(leaves.address.path == "tile/0/000.p/3")
        }
    }

    @Test func `each length stands in two bytes, the larger first`() throws {
        let address = try #require(address)
        let entry = [UInt8](repeating: 7, count: 258)
        let bundle = try #require(EntryBundle(address, entries: [entry, [], [9]]))
        #expect(bundle.bytes == [1, 2] + entry + [0, 0] + [0, 1, 9])
    }

    @Test(
        arguments: [
            [], [0], [0, 0], [0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1],
            [0, 2, 1, 0, 0, 0, 0],
            [0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0], [0xFF, 0xFF, 1],
            [0, 0, 0, 0, 0xFF, 0xFF],
        ] as [[UInt8]]
    )
    func `a file that is cut or has more is no bundle`(bytes: [UInt8]) throws {
        #expect(EntryBundle(try #require(address), bytes: bytes) == nil)
    }

    @Test func `a bundle has as many entries as its address says, none too long`() throws {
        let address = try #require(address)
        #expect(EntryBundle(address, entries: [[], []]) == nil)
        #expect(EntryBundle(address, entries: [[], [], [], []]) == nil)
        let tooLong = [UInt8](repeating: 7, count: EntryBundle.entryByteCountMaximum + 1)
        #expect(EntryBundle(address, entries: [[], tooLong, []]) == nil)
        let hashes = try #require(TileAddress(path: "tile/0/000.p/3"))
        #expect(EntryBundle(hashes, entries: [[], [], []]) == nil)
    }
}
