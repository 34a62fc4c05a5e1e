/// The number by which PostgreSQL knows a type.
package struct PostgresType: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }
    init(_ rawValue: UInt32) { self.rawValue = rawValue }

    package static let bool = PostgresType(16)
    package static let bytea = PostgresType(17)
    package static let name = PostgresType(19)
    package static let bigint = PostgresType(20)
    package static let smallint = PostgresType(21)
    package static let integer = PostgresType(23)
    package static let text = PostgresType(25)
    package static let oid = PostgresType(26)
    package static let json = PostgresType(114)
    package static let real = PostgresType(700)
    package static let double = PostgresType(701)
    package static let unknown = PostgresType(705)
    package static let character = PostgresType(1042)
    package static let varchar = PostgresType(1043)
    package static let timestamptz = PostgresType(1184)
    package static let uuid = PostgresType(2950)
    package static let jsonb = PostgresType(3802)

    package static let boolArray = PostgresType(1000)
    package static let byteaArray = PostgresType(1001)
    package static let nameArray = PostgresType(1003)
    package static let integerArray = PostgresType(1007)
    package static let textArray = PostgresType(1009)
    package static let varcharArray = PostgresType(1015)
    package static let bigintArray = PostgresType(1016)
    package static let doubleArray = PostgresType(1022)
    package static let timestamptzArray = PostgresType(1185)
    package static let uuidArray = PostgresType(2951)
    package static let jsonbArray = PostgresType(3807)
}

extension PostgresType: CustomStringConvertible {
    package var description: String { "type \(rawValue)" }
}
