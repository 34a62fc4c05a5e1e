import FoundationEssentials
import PlimsollDomain

/// The ids of all events so far: each a UUID of version 7, and none of them twice.
struct EventIDs: Sendable {
    private var known: Set<Mark> = []

    /// Two words are hashed faster than sixteen bytes.
    private struct Mark: Hashable {
        let high: UInt64
        let low: UInt64
    }

    /// How the id of the next event does not fit.
    mutating func take(_ id: UUID) -> LogFlaw? {
        let (high, low) = id.words
        guard high >> 12 & 0xF == 7, low >> 62 == 2 else { return .idForm(id.text) }
        return known.insert(Mark(high: high, low: low)).inserted ? nil : .idRepeated(id.text)
    }
}

extension UUID {
    fileprivate var words: (high: UInt64, low: UInt64) {
        let b = uuid
        return (
            word(b.0, b.1, b.2, b.3) << 32 | word(b.4, b.5, b.6, b.7),
            word(b.8, b.9, b.10, b.11) << 32 | word(b.12, b.13, b.14, b.15)
        )
    }

    private func word(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8) -> UInt64 {
        UInt64(a) << 24 | UInt64(b) << 16 | UInt64(c) << 8 | UInt64(d)
    }
}
