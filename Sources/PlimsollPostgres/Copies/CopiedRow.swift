/// One row of a binary `COPY`, lent for as long as the closure that was given it runs.
///
/// A binary `COPY` does not say which types its columns have, so the reader must know them: it
/// checks lengths, not types. Columns are read from left to right.
@safe package struct CopiedRow: ~Copyable {
    private let tuple: UnsafeRawBufferPointer
    private var offset: Int
    private var column = 0
    /// How many columns the row has.
    package let columnCount: Int

    /// Takes a whole tuple, which ``CopyParser`` has walked through.
    init(tuple bytes: UnsafeRawBufferPointer, columnCount: Int) {
        unsafe self.tuple = bytes
        self.columnCount = columnCount
        offset = MemoryLayout<Int16>.size
    }

    package mutating func int64() throws(PostgresError) -> Int64 { try next() }
    package mutating func bool() throws(PostgresError) -> Bool { try next() }
    package mutating func string() throws(PostgresError) -> String { try next() }
    package mutating func bytes() throws(PostgresError) -> [UInt8] { try next() }
    package mutating func timestamp() throws(PostgresError) -> Timestamp { try next() }

    /// Passes over a column.
    package mutating func skip() throws(PostgresError) {
        guard step() != nil else { throw exhausted }
    }

    /// Lends a column's bytes; answers `nil` for `NULL`.
    package mutating func withBytes<Value>(
        _ body: (Span<UInt8>) throws(PostgresError) -> Value
    ) throws(PostgresError) -> Value? {
        guard let cell = step() else { throw exhausted }
        guard case .bytes(let range) = cell else { return nil }
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: tuple[range])
        return try body(unsafe bytes.assumingMemoryBound(to: UInt8.self).span)
    }

    /// Reads the next column, whose type must be the value's own.
    package mutating func next<Value: PostgresValue>(
        _ type: Value.Type = Value.self
    ) throws(PostgresError) -> Value {
        guard let cell = step() else { throw exhausted }
        do throws(ValueRefusal) {
            guard case .bytes(let range) = cell else { return try Value.null() }
            let bytes = unsafe UnsafeRawBufferPointer(rebasing: tuple[range])
            return try Value(postgres: unsafe bytes.bytes, type: Value.postgresType)
        } catch {
            throw PostgresError(
                .decoding,
                "column \(column) of COPY cannot be read as \(type): \(error)"
            )
        }
    }

    private enum Cell {
        case null
        case bytes(Range<Int>)
    }

    /// Steps to the next column; nothing is behind the last.
    private mutating func step() -> Cell? {
        guard column < columnCount else { return nil }
        column += 1
        let length = unsafe tuple.loadUnaligned(fromByteOffset: offset, as: Int32.self)
        let start = offset + 4
        offset = start + max(Int(Int32(bigEndian: length)), 0)
        return Int32(bigEndian: length) < 0 ? .null : .bytes(start..<offset)
    }

    private var exhausted: PostgresError {
        PostgresError(.decoding, "COPY has only \(columnCount) columns")
    }
}
