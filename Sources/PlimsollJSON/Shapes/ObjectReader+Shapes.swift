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

    /// One of the cases of a closed set of names.
    package mutating func name<Value: RawRepresentable<String> & CaseIterable & Sendable>(
        _ key: String,
        as type: Value.Type = Value.self
    ) -> Value? {
        string(key, needing: oneOf(Value.self)) { Value(rawValue: $0) }
    }
}
