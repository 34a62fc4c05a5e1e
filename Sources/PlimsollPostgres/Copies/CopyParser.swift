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
    private static let signature: [UInt8] = [
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
