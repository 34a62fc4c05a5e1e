/// JSON text as bytes, kept in a `jsonb` column.
///
/// What comes back is PostgreSQL's own form of the same value, not the bytes that were sent.
package struct JSONBytes: Sendable, Hashable {
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }
    package init(_ text: String) { bytes = Array(text.utf8) }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The version byte in front of the text; there has only ever been this one.
    private static let version: UInt8 = 1
}

extension JSONBytes: PostgresArrayElement {
    package static var postgresType: PostgresType { .jsonb }
    package static var postgresArrayType: PostgresType { .jsonbArray }

    package static func accepts(_ type: PostgresType) -> Bool { type == .jsonb || type == .json }

    package init(postgres bytes: RawSpan, type: PostgresType) throws(ValueRefusal) {
        guard type == .jsonb else {
            self.bytes = try [UInt8](postgres: bytes, type: .bytea)
            return
        }
        guard try bytes.integer(at: 0, as: UInt8.self) == Self.version else {
            throw .unreadable(.jsonVersion)
        }
        self.bytes = try [UInt8](postgres: bytes.extracting(1...), type: .bytea)
    }

    package func write(to output: inout ValueWriter) {
        output.append(Self.version)
        output.append(bytes)
    }
}
