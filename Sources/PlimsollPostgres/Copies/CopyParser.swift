/// Finds the rows in the bytes of a binary `COPY`.
///
/// PostgreSQL sends a row a message, with the header before the first; that is a habit and no
/// promise, so what is left of a message is kept for the next.
struct CopyParser {
    enum Failure: Error {
        case notBinary
        case damaged
    }

    /// "PGCOPY", and bytes that do not survive being taken for text.
    fileprivate static let signature: [UInt8] = [
        0x50, 0x47, 0x43, 0x4F, 0x50, 0x59, 0x0A, 0xFF, 0x0D, 0x0A, 0x00,
    ]

    private var hasHeader = false
    private var hasEnded = false
    private var rest: [UInt8] = []

    /// Whether the data ended where it said it would.
    var isComplete: Bool { hasEnded && rest.isEmpty }

    /// Calls the body for each whole row.
    mutating func parse(
        _ message: UnsafeRawBufferPointer,
        _ body: (inout CopiedRow) throws -> Void
    ) throws {
        guard !rest.isEmpty else {
            let end = unsafe try walk(message, body)
            if end < message.count { unsafe rest.append(contentsOf: message[end...]) }
            return
        }
        unsafe rest.append(contentsOf: message)
        let all = rest
        let end = try unsafe all.withUnsafeBytes { try unsafe walk($0, body) }
        rest.removeFirst(end)
    }

    /// Answers up to where the bytes were used.
    private mutating func walk(
        _ bytes: UnsafeRawBufferPointer,
        _ body: (inout CopiedRow) throws -> Void
    ) throws -> Int {
        var offset = 0
        if !hasHeader {
            guard let end = unsafe try headerEnd(bytes) else { return 0 }
            hasHeader = true
            offset = end
        }
        while offset + 2 <= bytes.count {
            let count = unsafe Int(integer(bytes, offset, as: Int16.self))
            guard count >= 0 else {
                hasEnded = true
                return offset + 2
            }
            guard let end = unsafe try tupleEnd(bytes, offset + 2, columns: count) else {
                return offset
            }
            var row = unsafe CopiedRow(
                tuple: UnsafeRawBufferPointer(rebasing: bytes[offset..<end]),
                columnCount: count
            )
            try body(&row)
            offset = end
        }
        return offset
    }

    private func headerEnd(_ bytes: UnsafeRawBufferPointer) throws -> Int? {
        let fixed = Self.signature.count + 8
        guard
            unsafe bytes.prefix(Self.signature.count).elementsEqual(
                Self.signature.prefix(bytes.count)
            )
        else { throw Failure.notBinary }
        guard bytes.count >= fixed else { return nil }
        let extra = unsafe Int(integer(bytes, fixed - 4, as: Int32.self))
        guard extra >= 0 else { throw Failure.damaged }
        return bytes.count >= fixed + extra ? fixed + extra : nil
    }

    private func tupleEnd(
        _ bytes: UnsafeRawBufferPointer,
        _ start: Int,
        columns: Int
    ) throws -> Int? {
        var offset = start
        for _ in 0..<columns {
            guard offset + 4 <= bytes.count else { return nil }
            let length = unsafe Int(integer(bytes, offset, as: Int32.self))
            guard length >= -1 else { throw Failure.damaged }
            offset += 4 + max(length, 0)
        }
        return offset <= bytes.count ? offset : nil
    }

    private func integer<Value: FixedWidthInteger & BitwiseCopyable>(
        _ bytes: UnsafeRawBufferPointer,
        _ offset: Int,
        as type: Value.Type
    ) -> Value {
        unsafe Value(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: type))
    }
}

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

    /// What stands before the rows of a binary `COPY`: its name, no flags and no extension.
    package static let header: [UInt8] = CopyParser.signature + [0, 0, 0, 0, 0, 0, 0, 0]
    /// What stands behind them.
    package static let trailer: [UInt8] = [0xFF, 0xFF]

    mutating func appendHeader() {
        writer.append(Self.header)
    }

    mutating func appendTrailer() {
        precondition(columnsLeft == 0, "a row has as many values as it began with")
        writer.append(Self.trailer)
    }

    /// What is written, without header and end.
    package static func bytes(_ write: (inout CopyWriter) -> Void) -> [UInt8] {
        var writer = CopyWriter()
        write(&writer)
        return writer.takeBytes()
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
    package mutating func string() throws(PostgresError) -> String { try next() }
    package mutating func bytes() throws(PostgresError) -> [UInt8] { try next() }
    package mutating func timestamp() throws(PostgresError) -> Timestamp { try next() }

    /// The whole row, as ``CopyWriter`` writes it.
    package var whole: [UInt8] {
        unsafe [UInt8](tuple)
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
