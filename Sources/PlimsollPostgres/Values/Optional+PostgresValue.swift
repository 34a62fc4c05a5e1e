extension Optional: PostgresValue where Wrapped: PostgresValue {
    package static var postgresType: PostgresType { Wrapped.postgresType }

    package static func accepts(_ type: PostgresType) -> Bool { Wrapped.accepts(type) }
    package static func null() throws(ValueRefusal) -> Wrapped? { .none }

    package init(postgres bytes: RawSpan, type: PostgresType) throws(ValueRefusal) {
        self = .some(try Wrapped(postgres: bytes, type: type))
    }

    package var isNull: Bool { self?.isNull ?? true }

    package func write(to output: inout ValueWriter) { self?.write(to: &output) }
}

extension Optional: PostgresArrayElement where Wrapped: PostgresArrayElement {
    package static var postgresArrayType: PostgresType { Wrapped.postgresArrayType }

    package static func acceptsArray(_ type: PostgresType) -> Bool { Wrapped.acceptsArray(type) }
}
