package import PlimsollDocuments
package import PlimsollDomain
import PlimsollJSON

/// The snapshots of an app that are kept, as `index.json` lists them; nobody signed the list.
package struct KeptSnapshots: Sendable {
    /// One of them.
    package struct Entry: Equatable, Sendable {
        package let sequence: SnapshotSequence
        package let issuedAt: Instant
        /// SHA-256 of the manifest; `nil` where the list does not have it yet.
        package let manifest: ContentDigest?
    }

    /// The newest first.
    private let entries: [Entry]
    /// Of what is served now, which the list may not have yet.
    private let current: Entry

    private static let limits = JSONLimits(sizeMaximum: 4 << 20)

    /// Takes the list, and the manifest of what is served now; `nil` where one of them is none.
    package init?(parsing list: [UInt8], current manifest: [UInt8]) {
        guard
            let list = try? JSONValue(parsing: list, limits: Self.limits),
            let entries = list["snapshots"]?.array?.map(Self.entry),
            let issue = (try? Manifest(parsing: manifest))?.issue
        else { return nil }
        self.entries = entries.compactMap(\.self)
        guard self.entries.count == entries.count else { return nil }
        current = Entry(sequence: issue.sequence, issuedAt: issue.issuedAt, manifest: nil)
    }

    private static func entry(_ value: JSONValue) -> Entry? {
        guard
            let sequence = value["sequence"]?.integer.flatMap(SnapshotSequence.init(rawValue:)),
            let issuedAt = value["issuedAt"]?.string.flatMap(Instant.init(rfc3339:)),
            let manifest = value["manifest"]?.string.flatMap(ContentDigest.init(hex:))
        else { return nil }
        return Entry(sequence: sequence, issuedAt: issuedAt, manifest: manifest)
    }

    /// The one that was issued last before a time, and what took its place; says where the list does
    /// not reach.
    package func live(
        at time: Instant
    ) throws(KeptSnapshotsGap) -> (entry: Entry, next: Entry?) {
        guard let newest = entries.first, let oldest = entries.last else { throw .notListedYet }
        var known = entries
        if current.sequence > newest.sequence {
            guard time < newest.issuedAt || time >= current.issuedAt else { throw .notListedYet }
            known.insert(current, at: 0)
        }
        guard let place = known.firstIndex(where: { $0.issuedAt <= time }) else {
            throw .notKept(oldest.issuedAt)
        }
        return (known[place], place > 0 ? known[place - 1] : nil)
    }
}

/// Why the list does not say what was live at a time.
package enum KeptSnapshotsGap: Error, Equatable, Sendable, CustomStringConvertible {
    case notKept(_ oldest: Instant)
    case notListedYet

    package var description: String {
        switch self {
        case .notKept(let oldest): "The oldest snapshot that is kept was issued at \(oldest)."
        case .notListedYet:
            "The list is not written up to what is served now; it follows within a minute or two."
        }
    }
}
