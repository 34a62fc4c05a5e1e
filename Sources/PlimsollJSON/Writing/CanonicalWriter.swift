/// Writes canonical JSON straight into bytes, for what is written by the million.
///
/// Nothing is put in order here: the caller writes members in the order of their names, with all
/// that stands between the values. What is not written by the million is a ``JSONValue``.
package struct CanonicalWriter: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    /// Names and signs, which are already as they have to be.
    package mutating func literal(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    package mutating func string(_ text: String) {
        appendCanonicalString(text, to: &bytes)
    }

    /// Null where there is none.
    package mutating func string(_ text: String?) {
        if let text { string(text) } else { literal("null") }
    }

    package mutating func integer(_ number: Int64) {
        literal(String(number))
    }

    package mutating func value(_ value: JSONValue) {
        value.appendCanonical(to: &bytes)
    }

    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }
}
