/// Where the private half of a key is kept that is to be added.
package enum KeyPlace: Hashable, Sendable {
    /// The service makes the key, and keeps it in a file of its own.
    case made
    /// A PEM file that an operator has put where the service keeps its own; phones know the id.
    case file(KeyID)
    /// PEM in the environment of the service; without an id it gets one.
    case environment(EnvironmentName, KeyID?)
    /// A key service, which signs and never gives the key away.
    case service(KeyServiceName)
}

/// A key that is kept where it will sign.
package struct KeptKey: Equatable, Sendable {
    package let record: KeyRecord
    /// Whether it was not kept there before, so that it may be discarded again.
    package let isNew: Bool

    package init(_ record: KeyRecord, isNew: Bool) {
        self.record = record
        self.isNew = isNew
    }
}

/// The name of an environment variable that may hold a private key.
///
/// It begins with a prefix of its own, so that nobody can have the service try out others.
package struct EnvironmentName: TextName {
    package let text: String

    private static let prefix = "PLIMSOLL_SIGNING_KEY"
    package static let grammar =
        "PLIMSOLL_SIGNING_KEY, or that with an underscore and capital letters, digits or"
        + " underscores after it, of at most 100 characters"

    package init?(_ text: String) {
        let rest = text.utf8.dropFirst(Self.prefix.utf8.count)
        guard
            text.hasPrefix(Self.prefix), text.utf8.count <= 100,
            rest.isEmpty || rest.count > 1 && rest.first == UInt8(ascii: "_"),
            rest.allSatisfy(Self.isAllowed)
        else { return nil }
        self.text = text
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        isLetter(byte) && !isLowercaseLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "_")
    }
}

/// A signing key and where it stands in its life.
package struct Key: Codable, Equatable, Sendable {
    package let record: KeyRecord
    package private(set) var state = KeyState.added
    /// The event that brought it there; whoever decides on the key says that they saw this one.
    package private(set) var since: Position
    /// Since when there may be phones that believe this key; `nil` if it never signed.
    package internal(set) var firstActivated: Position?

    init(record: KeyRecord, since: Position) {
        self.record = record
        self.since = since
    }

    mutating func turn(_ state: KeyState, at position: Position) {
        self.state = state
        since = position
    }
}

/// Where a key stands in its life.
package enum KeyState: String, Codable, CaseIterable, Sendable {
    /// Published, so that clients can learn it; signs nothing yet.
    case added
    case active
    /// Signs nothing more; what it has signed is as good as ever.
    case retired
    /// Somebody else may have it: nothing that it signs is to be believed, and it never signs
    /// again.
    case compromised
}

/// What is public about a signing key, which belongs to one app.
package struct KeyRecord: Codable, Equatable, Sendable {
    package let id: KeyID
    package let app: AppSlug
    /// The SubjectPublicKeyInfo, DER.
    package let publicKey: [UInt8]

    package init(id: KeyID, app: AppSlug, publicKey: [UInt8]) {
        self.id = id
        self.app = app
        self.publicKey = publicKey
    }
}

/// The name of a key in AWS KMS: `arn:aws:kms:eu-west-2:123456789012:key/` and a UUID.
///
/// The UUID is what phones know the key by: the id that they compare is the ARN cut off behind
/// `:key/`.
package struct KeyServiceName: TextName {
    package let text: String
    package let region: String
    package let keyID: KeyID

    package static let grammar =
        "the ARN of a KMS key whose id is a lower-case UUID, such as"
        + " arn:aws:kms:eu-west-2:123456789012:key/3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07"

    private static let partitions: Set<Substring> = ["aws", "aws-cn", "aws-us-gov"]
    private static let keyPrefix = "key/"

    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard
            parts.count == 6, parts[0] == "arn", Self.partitions.contains(parts[1]),
            parts[2] == "kms", Self.isRegion(parts[3]),
            parts[4].utf8.count == 12, parts[4].utf8.allSatisfy(isDigit),
            parts[5].hasPrefix(Self.keyPrefix),
            let keyID = KeyID(String(parts[5].dropFirst(Self.keyPrefix.count)))
        else { return nil }
        self.text = text
        self.keyID = keyID
        region = String(parts[3])
    }

    /// Requests go to a host of this name, so it must not lead anywhere else.
    private static func isRegion(_ text: Substring) -> Bool {
        let words = text.split(separator: "-", omittingEmptySubsequences: false)
        return (3...4).contains(words.count) && text.utf8.count <= 32
            && words.dropLast().allSatisfy { word in
                !word.isEmpty && word.utf8.allSatisfy(isLowercaseLetter)
            }
            && words.last.map { $0.utf8.count == 1 && $0.utf8.allSatisfy(isDigit) } ?? false
    }
}

/// The signing keys, as the events of the `keys` stream have left them.
package struct Keyring: Codable, Equatable, Sendable {
    package private(set) var keys: [KeyID: Key] = [:]

    /// The keys that sign what is published of an app, in the order of their ids.
    package func activeKeys(of app: AppSlug) -> [Key] {
        keys(of: app, in: .active)
    }

    /// The keys of an app that stand there in their life, in the order of their ids.
    package func keys(of app: AppSlug, in state: KeyState) -> [Key] {
        keys.values.filter { $0.record.app == app && $0.state == state }
            .sorted { $0.record.id < $1.record.id }
    }

    mutating func evolve(_ event: KeyEvent, at position: Position) {
        switch event {
        case .keyAdded(let record): keys[record.id] = Key(record: record, since: position)
        case .keyActivated(let id, _):
            keys[id]?.turn(.active, at: position)
            if keys[id]?.firstActivated == nil { keys[id]?.firstActivated = position }
        case .keyRetired(let id, _): keys[id]?.turn(.retired, at: position)
        case .keyCompromised(let id, _): keys[id]?.turn(.compromised, at: position)
        }
    }
}
