extension ObjectReader {
    package mutating func string(_ key: String) -> String? {
        member(key, needing: "a string", \.string)
    }

    package mutating func optionalString(_ key: String) -> String? {
        optionalMember(key, needing: "a string", \.string)
    }

    package mutating func integer(_ key: String) -> Int64? {
        member(key, needing: "a whole number", \.integer)
    }

    package mutating func optionalInteger(_ key: String) -> Int64? {
        optionalMember(key, needing: "a whole number", \.integer)
    }

    package mutating func bool(_ key: String) -> Bool? {
        member(key, needing: "true or false", \.bool)
    }

    package mutating func optionalBool(_ key: String) -> Bool? {
        optionalMember(key, needing: "true or false", \.bool)
    }

    package mutating func array(_ key: String) -> [JSONValue]? {
        member(key, needing: "an array", \.array)
    }

    package mutating func optionalArray(_ key: String) -> [JSONValue]? {
        optionalMember(key, needing: "an array", \.array)
    }

    package mutating func object(_ key: String) -> JSONObject? {
        member(key, needing: "an object", \.object)
    }

    package mutating func optionalObject(_ key: String) -> JSONObject? {
        optionalMember(key, needing: "an object", \.object)
    }

    /// A string that has to make a value of a type; `grammar` completes "… is needed".
    package mutating func string<Value>(
        _ key: String,
        needing grammar: String,
        _ make: (String) -> Value?
    ) -> Value? {
        member(key, needing: grammar) { $0.string.flatMap(make) }
    }

    package mutating func optionalString<Value>(
        _ key: String,
        needing grammar: String,
        _ make: (String) -> Value?
    ) -> Value? {
        optionalMember(key, needing: grammar) { $0.string.flatMap(make) }
    }

    /// An array of strings, each of which has to make a value; every bad one is an issue.
    package mutating func strings<Value>(
        _ key: String,
        needing grammar: String,
        _ make: (String) -> Value?
    ) -> [Value]? {
        guard let values = array(key) else { return nil }
        return elements(values, of: key, needing: grammar, make)
    }

    package mutating func optionalStrings<Value>(
        _ key: String,
        needing grammar: String,
        _ make: (String) -> Value?
    ) -> [Value]? {
        guard let values = optionalArray(key) else { return nil }
        return elements(values, of: key, needing: grammar, make)
    }

    /// A required member that `make` has to accept.
    package mutating func member<Value>(
        _ key: String,
        needing needed: String,
        _ make: (JSONValue) -> Value?
    ) -> Value? {
        guard let found = value(key) else {
            refuse(.missing(needed, at: pointer.appending(key)))
            return nil
        }
        return accepted(found, key, needing: needed, make)
    }

    /// A member that may be missing or null.
    package mutating func optionalMember<Value>(
        _ key: String,
        needing needed: String,
        _ make: (JSONValue) -> Value?
    ) -> Value? {
        guard let found = value(key), found != .null else { return nil }
        return accepted(found, key, needing: needed, make)
    }

    private mutating func accepted<Value>(
        _ found: JSONValue,
        _ key: String,
        needing needed: String,
        _ make: (JSONValue) -> Value?
    ) -> Value? {
        guard let value = make(found) else {
            refuse(.rejected(found, needed: needed, at: pointer.appending(key)))
            return nil
        }
        return value
    }

    private mutating func elements<Value>(
        _ values: [JSONValue],
        of key: String,
        needing grammar: String,
        _ make: (String) -> Value?
    ) -> [Value]? {
        var made: [Value] = []
        for (index, value) in values.enumerated() {
            if let element = value.string.flatMap(make) {
                made.append(element)
            } else {
                let place = pointer.appending(key).appending(index)
                refuse(.rejected(value, needed: grammar, at: place))
            }
        }
        return made.count == values.count ? made : nil
    }
}

extension JSONIssue {
    /// Shows a short string as it stands, anything else by its kind.
    package static func rejected(
        _ value: JSONValue,
        needed: String,
        at pointer: JSONPointer
    ) -> JSONIssue {
        guard case .string(let text) = value, text.utf8.count <= 80 else {
            return .mismatch(value, needed: needed, at: pointer)
        }
        return JSONIssue(
            pointer: pointer,
            detail: "Found the string “\(text)”; \(needed) is needed."
        )
    }
}
