/// Why a command was refused: everything that stands in its way, at once.
package struct Refusal: Error, Equatable, Sendable {
    /// Never empty.
    package let objections: [Objection]

    package init(_ objections: [Objection]) {
        precondition(!objections.isEmpty, "a refusal says why")
        self.objections = objections
    }

    package init(_ objection: Objection) {
        self.init([objection])
    }
}

/// What sort of objection it is; faces choose their status by it.
///
/// In the order of their weight: what somebody must not or cannot do comes first; then what they
/// have to look at again before it makes sense to mend the rest.
package enum ObjectionKind: CaseIterable, Sendable {
    /// What it speaks of does not exist.
    case unknown
    /// The principal may not do it.
    case forbidden
    /// There is something to be seen first, and no entity tag says that it was.
    case unseen
    /// The entity tag is not the current one.
    case stale
    /// The principal has as much of it as anybody may.
    case tooMuch
    /// What is so by now stands in the way, or has to come first.
    case conflict
    /// What was asked for is not acceptable.
    case invalid
    /// It would change nothing.
    case noOperation

    /// The kind that a whole answer takes its status from where several things stand in the way.
    package static func weightiest(of kinds: [ObjectionKind]) -> ObjectionKind {
        allCases.first { kinds.contains($0) } ?? .invalid
    }
}

/// Where in a request something stands (RFC 6901): `/operations/3/value`.
package struct Pointer: Hashable, Sendable, ExpressibleByStringLiteral {
    package let text: String

    package init(_ text: String) { self.text = text }

    package init(stringLiteral text: String) { self.text = text }

    package func appending(_ index: Int) -> Pointer { Pointer("\(text)/\(index)") }

    package func appending(_ member: String) -> Pointer { Pointer("\(text)/\(member)") }
}
