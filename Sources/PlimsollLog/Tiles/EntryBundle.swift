/// Up to 256 entries side by side as one file keeps them, each behind its length in two bytes.
///
/// Entries are not public: only auditors get them.
package struct EntryBundle: Hashable, Sendable {
    package let address: TileAddress
    package let entries: [[UInt8]]

    package static let entryByteCountMaximum = 65_535

    /// Takes the entries of a tile; `nil` if they are not as many as its address says, or one is
    /// too long.
    package init?(_ address: TileAddress, entries: [[UInt8]]) {
        guard
            case .entries = address.content, entries.count == address.width,
            entries.allSatisfy({ $0.count <= Self.entryByteCountMaximum })
        else { return nil }
        self.address = address
        self.entries = entries
    }

    /// Reads a bundle from its file, to which nothing may be missing or added.
    package init?(_ address: TileAddress, bytes: [UInt8]) {
        var entries: [[UInt8]] = []
        var rest = bytes[...]
        while let high = rest.popFirst() {
            guard entries.count < address.width, let low = rest.popFirst() else { return nil }
            let count = Int(high) << 8 | Int(low)
            guard rest.count >= count else { return nil }
            entries.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        self.init(address, entries: entries)
    }

    /// What the file holds.
    package var bytes: [UInt8] {
        entries.flatMap { entry in
            [UInt8(entry.count >> 8), UInt8(entry.count & 0xFF)] + entry
        }
    }

    /// The tile at level 0 with the hashes of these entries.
    package var leaves: HashTile? {
        TileAddress(.hashes(level: 0), index: address.index, width: address.width).flatMap {
            HashTile($0, hashes: entries.map(MerkleHash.leaf))
        }
    }
}
