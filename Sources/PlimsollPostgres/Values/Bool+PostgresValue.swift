extension Bool: PostgresArrayElement {
    package static var postgresType: PostgresType { .bool }
    package static var postgresArrayType: PostgresType { .boolArray }

    package init(postgres bytes: RawSpan, type: PostgresType) throws(ValueRefusal) {
        self = try bytes.integer(as: UInt8.self) != 0
    }

    package func write(to output: inout ValueWriter) { output.append(UInt8(self ? 1 : 0)) }
}
