extension ObjectReader {
    /// Reads an object inside this one with a reader of its own, which is finished afterwards.
    package mutating func object<Value>(
        _ key: String,
        _ read: (inout ObjectReader) -> Value?
    ) -> Value? {
        guard let object = object(key) else { return nil }
        return nested(object, at: pointer.appending(key), .refused, read)
    }

    package mutating func optionalObject<Value>(
        _ key: String,
        _ read: (inout ObjectReader) -> Value?
    ) -> Value? {
        guard let object = optionalObject(key) else { return nil }
        return nested(object, at: pointer.appending(key), .refused, read)
    }

    /// Reads an array of objects; `nil` if any of them is not what is needed.
    package mutating func objects<Value>(
        _ key: String,
        _ unknown: UnknownMembers = .refused,
        _ read: (inout ObjectReader) -> Value?
    ) -> [Value]? {
        guard let values = array(key) else { return nil }
        var made: [Value] = []
        for (index, value) in values.enumerated() {
            let place = pointer.appending(key).appending(index)
            guard let object = value.object else {
                refuse(.mismatch(value, needed: "an object", at: place))
                continue
            }
            if let element = nested(object, at: place, unknown, read) { made.append(element) }
        }
        return made.count == values.count ? made : nil
    }

    /// Reads an object with another reader and takes over its issues.
    package mutating func nested<Value>(
        _ object: JSONObject,
        at place: JSONPointer,
        _ unknown: UnknownMembers = .refused,
        _ read: (inout ObjectReader) -> Value?
    ) -> Value? {
        var reader = ObjectReader(object, at: place)
        let value = read(&reader)
        let issues = reader.issues(unknown)
        for issue in issues { refuse(issue) }
        return issues.isEmpty ? value : nil
    }
}
