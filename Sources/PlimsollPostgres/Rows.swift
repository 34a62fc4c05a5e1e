/// One row of a result, which keeps its block alive.
package struct Row: Sendable {
    let block: RowBlock
    let index: Int

    package var columns: Columns { block.columns }

    /// Reads a column by its place, counted from 0.
    package func value<Value: PostgresValue>(
        at column: Int,
        as type: Value.Type = Value.self
    ) throws(PostgresError) -> Value {
        guard columns.types.indices.contains(column) else {
            throw PostgresError(.decoding, "there is no column \(column)")
        }
        guard Value.accepts(columns.types[column]) else {
            throw refusal(of: column, Value.self, "it has \(columns.types[column])")
        }
        do throws(ValueRefusal) {
            return try block.value(row: index, column: column)
        } catch {
            throw refusal(of: column, Value.self, error.description)
        }
    }

    /// Reads all columns at once, in their order.
    ///
    /// ```swift
    /// let (id, name, note) = try row.decode((Int64, String, String?).self)
    /// ```
    package func decode<each Value: PostgresValue>(
        _ types: (repeat each Value).Type
    ) throws(PostgresError) -> (repeat each Value) {
        var wanted = 0
        for _ in repeat (each Value).self { wanted += 1 }
        guard wanted == columns.count else {
            throw PostgresError(
                .decoding,
                "there are \(columns.count) columns, where \(wanted) were asked for"
            )
        }
        var reader = RowReader(row: self)
        return (repeat try reader.next((each Value).self))
    }

    private func refusal(of column: Int, _ type: Any.Type, _ reason: String) -> PostgresError {
        PostgresError(
            .decoding,
            "column \(columns.names[column]) cannot be read as \(type): \(reason)"
        )
    }
}

/// Reads a row's columns one after the other.
package struct RowReader: Sendable {
    private let row: Row
    private var column = 0

    package init(row: Row) { self.row = row }

    package mutating func next<Value: PostgresValue>(
        _ type: Value.Type = Value.self
    ) throws(PostgresError) -> Value {
        defer { column += 1 }
        return try row.value(at: column)
    }
}

/// The names and types of a result's columns.
package final class Columns: Sendable {
    package let names: [String]
    package let types: [PostgresType]

    init(names: [String], types: [PostgresType]) {
        self.names = names
        self.types = types
    }

    package var count: Int { names.count }
}

/// A run of rows in one buffer.
///
/// libpq's results are copied here and freed at once: to keep hundreds of them alive costs
/// three times as much.
final class RowBlock: Sendable {
    let columns: Columns
    private let count: Int
    private let bytes: [UInt8]
    /// Where each cell ends; `~end` for `NULL`.
    private let ends: [Int]

    fileprivate init(columns: Columns, count: Int, bytes: [UInt8], ends: [Int]) {
        self.columns = columns
        self.count = count
        self.bytes = bytes
        self.ends = ends
    }

    var rows: [Row] { (0..<count).map { Row(block: self, index: $0) } }

    /// Reads one cell.
    ///
    /// The types were checked by the caller.
    func value<Value: PostgresValue>(row: Int, column: Int) throws(ValueRefusal) -> Value {
        let place = row * columns.count + column
        let end = ends[place]
        guard end >= 0 else { return try Value.null() }
        let before = place == 0 ? 0 : ends[place - 1]
        let start = before < 0 ? ~before : before
        let bytes = bytes
        let all = bytes.span
        let cell = all.extracting(start..<end)
        return try Value(postgres: unsafe cell.bytes, type: columns.types[column])
    }
}

/// Collects cells until a block is full.
struct RowBlockBuilder {
    /// A block is full when it has so many rows, or so many bytes.
    static let rowsMaximum = 256
    static let bytesMaximum = 64 * 1024

    let columns: Columns
    private var count = 0
    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    init(columns: Columns) { self.columns = columns }

    var isFull: Bool { count >= Self.rowsMaximum || bytes.count >= Self.bytesMaximum }

    mutating func append(_ result: borrowing ResultHandle, row: Int) {
        for column in 0..<columns.count {
            result.appendCell(row: row, column: column, to: &bytes)
            let isNull = result.isNull(row: row, column: column)
            ends.append(isNull ? ~bytes.count : bytes.count)
        }
        count += 1
    }

    /// Hands over what was collected and begins anew.
    mutating func finish() -> RowBlock {
        let block = RowBlock(columns: columns, count: count, bytes: bytes, ends: ends)
        self = RowBlockBuilder(columns: columns)
        return block
    }
}
