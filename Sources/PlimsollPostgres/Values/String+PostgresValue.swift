extension String: PostgresArrayElement {
    package static var postgresType: PostgresType { .text }
    package static var postgresArrayType: PostgresType { .textArray }

    package static func accepts(_ type: PostgresType) -> Bool {
        switch type {
        case .text, .varchar, .character, .name, .json, .unknown: true
        default: false
        }
    }

    package static func acceptsArray(_ type: PostgresType) -> Bool {
        type == .textArray || type == .varcharArray || type == .nameArray
    }

    package init(postgres bytes: RawSpan, type: PostgresType) throws(ValueRefusal) {
        // The session's client_encoding is UTF8, so this fails only for an SQL_ASCII database.
        let text = unsafe bytes.withUnsafeBytes { bytes in
            unsafe String(validating: bytes, as: UTF8.self)
        }
        guard let text else { throw .unreadable(.notUTF8) }
        self = text
    }

    package func write(to output: inout ValueWriter) { output.append(self) }
}
