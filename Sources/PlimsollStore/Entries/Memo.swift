import PlimsollPostgres

/// Remembers what recently came of some bytes, because names repeat from event to event.
struct Memo<Value: Sendable>: Sendable {
    private static var slotCount: Int { 64 }

    /// The bytes of each slot, one after the other in one array, each in as much room.
    private var keys: [UInt8] = []
    private var counts: [Int] = []
    private var values: [Value?] = []
    private let sizeMaximum: Int

    /// What is longer than the maximum is not remembered.
    init(upTo sizeMaximum: Int) {
        self.sizeMaximum = sizeMaximum
    }

    /// What the bytes make, made anew only if they were not seen lately; `nil` is not remembered.
    mutating func value<Failure: Error>(
        of bytes: Span<UInt8>,
        _ make: () throws(Failure) -> Value?
    ) throws(Failure) -> Value? {
        guard bytes.count <= sizeMaximum else { return try make() }
        let slot = Int(fingerprint(bytes) >> 58)
        if counts.isEmpty { furnish() }
        if counts[slot] == bytes.count, bytes.equals(keys, from: slot * sizeMaximum),
            let known = values[slot]
        {
            return known
        }
        guard let value = try make() else { return nil }
        for index in bytes.indices { keys[slot * sizeMaximum + index] = bytes[index] }
        counts[slot] = bytes.count
        values[slot] = value
        return value
    }

    /// Many a decoder reads one entry only and remembers little.
    private mutating func furnish() {
        keys = Array(repeating: 0, count: Self.slotCount * sizeMaximum)
        counts = Array(repeating: -1, count: Self.slotCount)
        values = Array(repeating: nil, count: Self.slotCount)
    }

    /// Looks at the ends and the middle only: that is where names differ, and a clash costs no
    /// more than to make the value anew.
    private func fingerprint(_ bytes: Span<UInt8>) -> UInt64 {
        var hash = UInt64(truncatingIfNeeded: bytes.count)
        if bytes.count < 8 {
            for index in bytes.indices { hash = hash << 8 | UInt64(bytes[index]) }
        } else {
            hash ^= bytes.word(at: 0)
            hash = hash &* 0x9E37_79B9_7F4A_7C15 ^ bytes.word(at: bytes.count / 2 - 4)
            hash = hash &* 0x9E37_79B9_7F4A_7C15 ^ bytes.word(at: bytes.count - 8)
        }
        return hash &* 0x9E37_79B9_7F4A_7C15
    }
}
