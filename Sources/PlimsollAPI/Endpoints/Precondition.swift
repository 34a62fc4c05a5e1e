package import PlimsollDomain

/// What the caller of a write has to have seen, and names in `If-Match`.
package protocol Precondition: Sendable {
    associatedtype Value: Sendable

    static var kind: PreconditionKind? { get }

    /// What stands between the quotation marks of the tag.
    static func tag(of value: Value) -> String?
}

/// What an entity tag is one of.
package enum PreconditionKind: Sendable {
    case change
    /// A first policy has nothing before it, so this may be left out.
    case policy
    case settings
    case key
}

/// Whatever was seen.
package enum Unbound: Precondition {
    package static let kind: PreconditionKind? = nil

    package static func tag(of value: Void) -> String? { nil }
}

/// A change, by the digest of what is decided on.
package enum SeenChange: Precondition {
    package static let kind: PreconditionKind? = .change

    package static func tag(of value: ChangeDigest) -> String? { value.hex }
}

/// A policy, by the position of the event that brought it into force.
package enum SeenPolicy: Precondition {
    package static let kind: PreconditionKind? = .policy

    package static func tag(of value: Position?) -> String? { value?.description }
}

/// An app's settings, by the position of the event that brought them.
package enum SeenSettings: Precondition {
    package static let kind: PreconditionKind? = .settings

    package static func tag(of value: Position?) -> String? { value?.description }
}

/// A key, by the position of the event that brought it to where it stands.
package enum SeenKey: Precondition {
    package static let kind: PreconditionKind? = .key

    package static func tag(of value: Position?) -> String? { value?.description }
}
