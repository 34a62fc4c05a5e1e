/// A value that travels to PostgreSQL and back in its binary form.
package protocol PostgresValue: Sendable {
    /// The type a parameter is declared with.
    static var postgresType: PostgresType { get }

    /// Whether a result column of that type can be read as this.
    static func accepts(_ type: PostgresType) -> Bool

    /// What `NULL` is read as. Only optionals have an answer.
    static func null() throws(ValueRefusal) -> Self

    init(postgres bytes: RawSpan, type: PostgresType) throws(ValueRefusal)

    var isNull: Bool { get }

    func write(to output: inout ValueWriter)
}

/// A value that PostgreSQL keeps in one-dimensional arrays.
///
/// The two functions are there for `UInt8` alone, whose array is a `bytea`.
package protocol PostgresArrayElement: PostgresValue {
    static var postgresArrayType: PostgresType { get }

    static func acceptsArray(_ type: PostgresType) -> Bool
    static func readArray(_ bytes: RawSpan) throws(ValueRefusal) -> [Self]
    static func writeArray(_ elements: [Self], to output: inout ValueWriter)
}

extension PostgresValue {
    package static func accepts(_ type: PostgresType) -> Bool { type == postgresType }
    package static func null() throws(ValueRefusal) -> Self { throw .null }
    package var isNull: Bool { false }
}

/// Why bytes from the server are not the value that was asked for.
package enum ValueRefusal: Error, Sendable, Hashable {
    case null
    case length(Int)
    case unreadable(StaticReason)

    /// A fixed phrase, so that no value can slip into it.
    package enum StaticReason: String, Sendable, Hashable {
        case infinity = "it is infinite"
        case outOfRange = "it is out of range"
        case notUTF8 = "it is not UTF-8"
        case arrayShape = "it is not a one-dimensional array"
        case arrayElement = "its elements have another type"
        case jsonVersion = "its jsonb version is unknown"
    }
}

extension ValueRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .null: "it is NULL"
        case .length(let count): "it has \(count) bytes"
        case .unreadable(let reason): reason.rawValue
        }
    }
}
