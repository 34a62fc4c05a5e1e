package import FoundationEssentials

extension UUID: PostgresArrayElement {
    package static var postgresType: PostgresType { .uuid }
    package static var postgresArrayType: PostgresType { .uuidArray }

    package init(postgres bytes: RawSpan, type: PostgresType) throws(ValueRefusal) {
        guard bytes.byteCount == 16 else { throw .length(bytes.byteCount) }
        self = UUID(uuid: unsafe bytes.unsafeLoadUnaligned(as: uuid_t.self))
    }

    package func write(to output: inout ValueWriter) {
        unsafe withUnsafeBytes(of: uuid) { unsafe output.append([UInt8]($0)) }
    }
}
