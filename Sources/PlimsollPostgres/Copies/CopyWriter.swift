/// Collects the rows of a binary `COPY … FROM STDIN`.
package struct CopyWriter: ~Copyable {
    private var writer = ValueWriter()
    private var columnsLeft = 0

    init() {}

    var byteCount: Int { writer.bytes.count }

    /// Begins a row; exactly as many values must follow.
    package mutating func beginRow(columns: Int) {
        precondition(columnsLeft == 0, "a row has as many values as it began with")
        columnsLeft = columns
        writer.append(Int16(columns))
    }

    package mutating func append(_ value: some PostgresValue) {
        precondition(columnsLeft > 0, "a row has as many values as it began with")
        columnsLeft -= 1
        writer.appendMeasured(value)
    }

    /// Appends bytes as they are, for data that is in `COPY`'s own form already.
    package mutating func append(raw bytes: [UInt8]) {
        writer.append(bytes)
    }

    mutating func appendHeader() {
        writer.append([0x50, 0x47, 0x43, 0x4F, 0x50, 0x59, 0x0A, 0xFF, 0x0D, 0x0A, 0x00])
        writer.append(Int32(0))
        writer.append(Int32(0))
    }

    mutating func appendTrailer() {
        precondition(columnsLeft == 0, "a row has as many values as it began with")
        writer.append(Int16(-1))
    }

    mutating func takeBytes() -> [UInt8] {
        let bytes = writer.bytes
        writer.removeAll()
        return bytes
    }
}

/// What a source of rows says after it has been asked for some.
package enum CopyStep: Sendable {
    case more, end
}

/// In which form data goes in.
package enum CopyFormat: Sendable {
    /// Rows written by ``CopyWriter``; header and end are seen to.
    case binary
    /// Bytes that the caller has in whatever form the statement names.
    case raw
}
