extension Int64: PostgresArrayElement {
    package static var postgresType: PostgresType { .bigint }
    package static var postgresArrayType: PostgresType { .bigintArray }

    package static func accepts(_ type: PostgresType) -> Bool {
        type == .bigint || type == .integer || type == .smallint || type == .oid
    }

    package init(postgres bytes: RawSpan, type: PostgresType) throws(ValueRefusal) {
        switch type {
        case .integer: self = Int64(try bytes.integer(as: Int32.self))
        case .smallint: self = Int64(try bytes.integer(as: Int16.self))
        case .oid: self = Int64(try bytes.integer(as: UInt32.self))
        default: self = try bytes.integer()
        }
    }

    package func write(to output: inout ValueWriter) { output.append(self) }
}

extension Int: PostgresArrayElement {
    package static var postgresType: PostgresType { .bigint }
    package static var postgresArrayType: PostgresType { .bigintArray }

    package static func accepts(_ type: PostgresType) -> Bool { Int64.accepts(type) }

    package init(postgres bytes: RawSpan, type: PostgresType) throws(ValueRefusal) {
        self = Int(try Int64(postgres: bytes, type: type))
    }

    package func write(to output: inout ValueWriter) { output.append(Int64(self)) }
}

extension Int32: PostgresArrayElement {
    package static var postgresType: PostgresType { .integer }
    package static var postgresArrayType: PostgresType { .integerArray }

    package static func accepts(_ type: PostgresType) -> Bool {
        type == .integer || type == .smallint
    }

    package init(postgres bytes: RawSpan, type: PostgresType) throws(ValueRefusal) {
        self =
            type == .smallint
            ? Int32(try bytes.integer(as: Int16.self)) : try bytes.integer()
    }

    package func write(to output: inout ValueWriter) { output.append(self) }
}

extension Int16: PostgresValue {
    package static var postgresType: PostgresType { .smallint }

    package init(postgres bytes: RawSpan, type: PostgresType) throws(ValueRefusal) {
        self = try bytes.integer()
    }

    package func write(to output: inout ValueWriter) { output.append(self) }
}
