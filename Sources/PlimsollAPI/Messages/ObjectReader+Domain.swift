package import PlimsollDomain
package import PlimsollJSON

/// Members of what is read by hand.
extension ObjectReader {
    package mutating func member<Value>(_ key: String, _ shape: ValueShape<Value>) -> Value? {
        shape.readNeeded(key, &self)
    }

    /// `nil` where the member is missing or null, or an issue says why.
    package mutating func optionalMember<Value>(
        _ key: String,
        _ shape: ValueShape<Value>
    ) -> Value? {
        shape.readIfPresent(key, &self)
    }

    /// Refuses a version that the platform which stands beside it does not write so.
    mutating func check(_ version: VersionValue?, is kind: VersionKind, at place: JSONPointer) {
        guard let version, version.kind != kind else { return }
        refuse(.rejected(JSONValue(version), needed: kind.grammarWithForm, at: place))
    }

    /// One of the cases of a closed set of names.
    package mutating func name<Value: RawRepresentable<String> & CaseIterable & Sendable>(
        _ key: String,
        as type: Value.Type = Value.self
    ) -> Value? {
        member(key, ValueShape<Value>.names)
    }
}

/// The names of a closed set, as a sentence says them: `one of title, description`.
package func oneOf<Value: RawRepresentable & CaseIterable>(_ type: Value.Type) -> String
where Value.RawValue == String {
    "one of " + type.allCases.map(\.rawValue).joined(separator: ", ")
}

extension Platform {
    package static let grammar = oneOf(Platform.self)
}

extension Field {
    package static let grammar =
        "a field's path, such as ios.minimumApp.value, android.recommendedApp.description.de or"
        + " ios.offers"
}

extension Position {
    package static let grammar = "a position of the log: a whole number from 0 on"
}

extension Instant {
    package static let grammar = "a time as RFC 3339 writes it, such as 2026-11-21T08:00:00.000Z"
}

extension ChangeID {
    package static let grammar = "a change's id, such as \"17\""
}

extension SnapshotSequence {
    package static let grammar = "a snapshot's sequence: a whole number from 1 on"
}

extension StateName {
    package static let grammar =
        "a state: live, event:POSITION, time:TIME, change:ID, snapshot:SEQUENCE or rollback:TARGET,"
        + " where TARGET is event:POSITION, time:TIME, before-change:ID, revert:ID or"
        + " last-good:SECONDS"
}
