import PlimsollDomain
import PlimsollJSON

extension ObjectReader {
    mutating func sequence(_ key: String) -> SnapshotSequence? {
        member(key, needing: "the sequence of a snapshot") {
            $0.integer.flatMap(SnapshotSequence.init(rawValue:))
        }
    }

    mutating func instant(_ key: String) -> Instant? {
        string(key, needing: "a time as in RFC 3339") { Instant(rfc3339: $0) }
    }
}
