/// One row of a result, which keeps its block alive.
package struct Row: Sendable {
    let block: RowBlock
    let index: Int

    package var columns: Columns { block.columns }

    /// Reads the column of that name.
    package func value<Value: PostgresValue>(
        _ name: String,
        as type: Value.Type = Value.self
    ) throws(PostgresError) -> Value {
        guard let column = columns.index(of: name) else {
            throw PostgresError(.decoding, "there is no column \(name)")
        }
        return try value(at: column)
    }

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
