/// A run of rows in one buffer.
///
/// libpq's results are copied here and freed at once: to keep hundreds of them alive costs
/// three times as much.
package final class RowBlock: Sendable {
    package let columns: Columns
    package let count: Int
    private let bytes: [UInt8]
    /// Where each cell ends; `~end` for `NULL`.
    private let ends: [Int]

    fileprivate init(columns: Columns, count: Int, bytes: [UInt8], ends: [Int]) {
        self.columns = columns
        self.count = count
        self.bytes = bytes
        self.ends = ends
    }

    package var rows: [Row] { (0..<count).map { Row(block: self, index: $0) } }

    package subscript(index: Int) -> Row { Row(block: self, index: index) }

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
    /// A block goes on its way when it has so many rows, or so many bytes.
    static let rowsMaximum = 256
    static let bytesMaximum = 64 * 1024

    let columns: Columns
    private var count = 0
    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    init(columns: Columns) { self.columns = columns }

    var isEmpty: Bool { count == 0 }
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
