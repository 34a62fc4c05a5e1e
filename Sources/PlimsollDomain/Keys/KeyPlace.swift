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
package struct EnvironmentName: Hashable, Sendable {
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
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

extension EnvironmentName: CustomStringConvertible {
    package var description: String { text }
}
