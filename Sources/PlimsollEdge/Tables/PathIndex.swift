/// Finds the number that belongs to a path, byte for byte, without making a string of it.
///
/// Open addressing over at least twice as many places as paths. The hash need not be keyed:
/// strangers choose what is looked up, but not what is in here, and a lookup's cost depends on
/// that alone.
struct PathIndex: Sendable {
    private struct Entry {
        let path: [UInt8]
        let number: Int
    }

    private var places: [Entry?]

    init(_ paths: [(path: String, number: Int)]) {
        var capacity = 8
        while capacity < paths.count * 2 { capacity *= 2 }
        places = Array(repeating: nil, count: capacity)
        for (path, number) in paths {
            insert(Entry(path: Array(path.utf8), number: number))
        }
    }

    func number(of path: Range<Int>, in bytes: Span<UInt8>) -> Int? {
        var hash = Self.hashSeed
        for index in path { hash = Self.mix(hash, bytes[index]) }
        var place = self.place(hash)
        while let entry = places[place] {
            if Self.isEqual(entry.path, bytes, path) { return entry.number }
            place = (place + 1) & (places.count - 1)
        }
        return nil
    }

    /// The first to come keeps a path.
    private mutating func insert(_ entry: Entry) {
        var place = self.place(entry.path.reduce(Self.hashSeed, Self.mix))
        while let other = places[place] {
            if other.path == entry.path { return }
            place = (place + 1) & (places.count - 1)
        }
        places[place] = entry
    }

    private func place(_ hash: UInt64) -> Int {
        Int(truncatingIfNeeded: hash ^ hash >> 32) & (places.count - 1)
    }

    private static func isEqual(
        _ path: [UInt8],
        _ bytes: Span<UInt8>,
        _ range: Range<Int>
    ) -> Bool {
        guard path.count == range.count else { return false }
        for index in path.indices where path[index] != bytes[range.lowerBound + index] {
            return false
        }
        return true
    }

    /// FNV-1a.
    private static let hashSeed: UInt64 = 0xCBF2_9CE4_8422_2325

    private static func mix(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
        (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
}
