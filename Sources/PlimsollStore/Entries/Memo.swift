/// Remembers what recently came of some bytes, because names repeat from event to event.
struct Memo<Value: Sendable>: Sendable {
    private var slots: [(bytes: [UInt8], value: Value)?] = Array(repeating: nil, count: 64)

    /// What the bytes make, made anew only if they were not seen lately.
    mutating func value<Failure: Error>(
        of bytes: Span<UInt8>,
        _ make: (String) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        var hash = UInt(truncatingIfNeeded: bytes.count)
        for index in bytes.indices { hash = hash &* 31 &+ UInt(bytes[index]) }
        let slot = Int(hash & 63)
        if let known = slots[slot], known.bytes.span.equals(bytes) { return known.value }
        let copy = [UInt8](copying: bytes)
        let value = try make(String(decoding: copy, as: UTF8.self))
        slots[slot] = (copy, value)
        return value
    }
}

extension Span<UInt8> {
    fileprivate func equals(_ other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in indices where self[index] != other[index] { return false }
        return true
    }
}

extension [UInt8] {
    init(copying bytes: Span<UInt8>) {
        self.init()
        reserveCapacity(bytes.count)
        for index in bytes.indices { append(bytes[index]) }
    }
}
