/// A value of a document.
package enum JSONValue: Hashable, Sendable {
    case object(JSONObject)
    case array([JSONValue])
    case string(String)
    /// A whole number within 64 bits.
    case integer(Int64)
    /// Any other number.
    case number(Double)
    case bool(Bool)
    case null
}

/// The members of an object in their order; no name stands twice.
package struct JSONObject: Hashable, Sendable {
    /// A name and its value.
    package struct Member: Hashable, Sendable {
        package let key: String
        package let value: JSONValue
    }

    package let members: [Member]

    package subscript(key: String) -> JSONValue? {
        members.first { $0.key == key }?.value
    }
}

/// Why some bytes are no JSON, as a sentence.
struct JSONFault: Error, CustomStringConvertible {
    let description: String
    let offset: Int

    init(_ sentence: String, at offset: Int) {
        description = "\(sentence) (byte \(offset))"
        self.offset = offset
    }
}
