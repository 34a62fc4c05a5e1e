package import PlimsollDomain

/// A signing key and where it stands, or would stand, in its life.
package struct KeyView: Equatable, Sendable {
    package let record: KeyRecord
    package let state: KeyState
    /// The event that brought it there; `nil` where it was only tried.
    package let since: Position?

    init(_ key: Key, isReal: Bool = true) {
        record = key.record
        state = key.state
        since = isReal ? key.since : nil
    }
}
