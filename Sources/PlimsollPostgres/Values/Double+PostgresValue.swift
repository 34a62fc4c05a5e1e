extension Double: PostgresArrayElement {
    package static var postgresType: PostgresType { .double }
    package static var postgresArrayType: PostgresType { .doubleArray }

    package static func accepts(_ type: PostgresType) -> Bool { type == .double || type == .real }

    package init(postgres bytes: RawSpan, type: PostgresType) throws(ValueRefusal) {
        self =
            type == .real
            ? Double(Float(bitPattern: try bytes.integer()))
            : Double(bitPattern: try bytes.integer())
    }

    package func write(to output: inout ValueWriter) { output.append(bitPattern) }
}
