/// The public name of a secret with which the service authenticates the entries of its log.
///
/// The first half of the secret's hash: it gives nothing away.
package struct EntryKeyID: Codable, TextName {
    package let text: String

    package static let length = 32
    package static let grammar = "32 lower-case hexadecimal digits"

    package init?(_ text: String) {
        guard text.utf8.count == Self.length, text.utf8.allSatisfy(isHexDigit) else {
            return nil
        }
        self.text = text
    }
}

/// Which secrets authenticate the entries where in the log.
///
/// The first that is added begins it: whatever stands behind that event without one was not written
/// by the service. Entries before it may have none.
package struct EntryKeys: Codable, Equatable, Sendable {
    private var spans: [EntryKeySpan] = []
    package init() {}

    /// Where the first was added: from there on every entry needs one.
    package var begin: Position? { spans.first?.added }

    /// The one that new entries are written with; `nil` before the first was added.
    package var current: EntryKeySpan? { spans.last { $0.retired == nil } }

    /// All that were ever added, the oldest first.
    package var all: [EntryKeySpan] { spans }

    package func span(of key: EntryKeyID) -> EntryKeySpan? {
        spans.first { $0.key == key }
    }

    /// Takes in what happens to them, in the order of the log; what is known already changes nothing.
    package mutating func evolve(_ event: EntryKeyEvent, _ recorded: RecordedEvent) {
        let position = recorded.position
        switch event {
        case .added(let key):
            if span(of: key) == nil {
                spans.append(
                    EntryKeySpan(key: key, added: position, addedAt: recorded.recordedAt)
                )
            }
        case .retired(let key):
            guard let place = spans.firstIndex(where: { $0.key == key }) else { return }
            spans[place].retired = spans[place].retired ?? position
        }
    }

    /// What is wrong with an entry that names a key, or none; nothing is said of its code.
    package func flaw(of key: EntryKeyID?, at position: Position) -> EntryKeyFlaw? {
        guard let key else {
            return begin.map { position >= $0 } ?? false ? .missing : nil
        }
        guard let span = span(of: key) else {
            // The first one stands in the event that adds it, and may stand in some before.
            return begin.map { position >= $0 } ?? false ? .unknown(key) : nil
        }
        return span.retired.map { position > $0 } ?? false ? .retired(key) : nil
    }
}

/// From where to where in the log a secret counts.
package struct EntryKeySpan: Codable, Equatable, Sendable {
    package let key: EntryKeyID
    package let added: Position
    package let addedAt: Instant
    package internal(set) var retired: Position?
}

/// How the key that an entry names does not fit the place where the entry stands.
package enum EntryKeyFlaw: Equatable, Sendable {
    /// It names none, behind the place from which each needs one.
    case missing
    /// It names one that was never added.
    case unknown(EntryKeyID)
    /// It names one that had been retired before.
    case retired(EntryKeyID)
}

/// What happens to the secrets that entries are authenticated with, on the stream `service`.
package enum EntryKeyEvent: Equatable, Sendable {
    case added(EntryKeyID)
    /// It counts for nothing that comes later.
    case retired(EntryKeyID)
}
