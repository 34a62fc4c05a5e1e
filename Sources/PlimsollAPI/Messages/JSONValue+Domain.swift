package import PlimsollDomain
package import PlimsollJSON

extension JSONValue {
    /// Null where there is nothing.
    package init(_ text: String?) {
        self = text.map(JSONValue.string) ?? .null
    }

    package init(_ position: Position?) {
        self = position.map { .integer($0.rawValue) } ?? .null
    }

    package init(_ sequence: SnapshotSequence?) {
        self = sequence.map { .integer($0.rawValue) } ?? .null
    }

    package init(_ instant: Instant?) {
        self.init(instant?.rfc3339)
    }

    package init(_ platforms: [Platform]) {
        self = .array(platforms.map { .string($0.rawValue) })
    }

    package init(_ messages: [some Message]) {
        self = .array(messages.map { .object($0.json) })
    }

    /// By their ids.
    package static func changes(_ changes: [ChangeID]) -> JSONValue {
        .array(changes.map { .string($0.description) })
    }

    package init(_ value: VersionValue) {
        switch value {
        case .dotted(let version): self = .string(version.written)
        case .integer(let version): self = .integer(Int64(version.number))
        }
    }

    package init(_ value: FieldValue?) {
        switch value {
        case .version(let version): self.init(version)
        case .text(let text): self = .string(text.text)
        case .offers(let offers): self.init(offers)
        case .legacy(let legacy): self = .object(legacy.json)
        case nil: self = .null
        }
    }
}
