import CLibPQ

/// Owns a `PGresult` and clears it once.
@safe struct ResultHandle: ~Copyable {
    private let raw: OpaquePointer

    init(owning raw: OpaquePointer) { unsafe self.raw = raw }

    deinit { unsafe PQclear(raw) }

    var status: ExecStatusType { unsafe PQresultStatus(raw) }
    var rowCount: Int { Int(unsafe PQntuples(raw)) }
    var columnCount: Int { Int(unsafe PQnfields(raw)) }

    /// How many rows the command touched, 0 for commands that touch none.
    var affectedCount: Int {
        unsafe PQcmdTuples(raw).flatMap { Int(unsafe String(cString: $0)) } ?? 0
    }

    var serverMessage: ServerMessage { unsafe ServerMessage(result: raw) }

    func isNull(row: Int, column: Int) -> Bool {
        unsafe PQgetisnull(raw, CInt(row), CInt(column)) == 1
    }

    func appendCell(row: Int, column: Int, to bytes: inout [UInt8]) {
        let length = unsafe PQgetlength(raw, CInt(row), CInt(column))
        guard length > 0, let value = unsafe PQgetvalue(raw, CInt(row), CInt(column)) else {
            return
        }
        unsafe bytes.append(
            contentsOf: UnsafeRawBufferPointer(start: value, count: Int(length))
        )
    }

    func readColumns() -> Columns {
        let indices = 0..<CInt(columnCount)
        return Columns(
            names: indices.map { column in
                unsafe PQfname(raw, column).map { unsafe String(cString: $0) } ?? ""
            },
            types: indices.map { PostgresType(rawValue: unsafe PQftype(raw, $0)) }
        )
    }

    func hasTypes(of columns: Columns) -> Bool {
        guard columnCount == columns.count else { return false }
        for (index, type) in columns.types.enumerated()
        where unsafe PQftype(raw, CInt(index)) != type.rawValue {
            return false
        }
        return true
    }
}

extension ServerMessage {
    init(result raw: OpaquePointer?) {
        func field(_ code: CInt) -> String? {
            unsafe PQresultErrorField(raw, code).map { unsafe String(cString: $0) }
        }
        severity = field(CLIBPQ_DIAG_SEVERITY)
        sqlState = field(CLIBPQ_DIAG_SQLSTATE).map(SQLState.init(rawValue:))
        message = field(CLIBPQ_DIAG_MESSAGE)
        detail = field(CLIBPQ_DIAG_DETAIL)
        hint = field(CLIBPQ_DIAG_HINT)
        schema = field(CLIBPQ_DIAG_SCHEMA)
        table = field(CLIBPQ_DIAG_TABLE)
        column = field(CLIBPQ_DIAG_COLUMN)
        constraint = field(CLIBPQ_DIAG_CONSTRAINT)
        context = field(CLIBPQ_DIAG_CONTEXT)
        if message == nil {
            // Errors that libpq itself makes have no fields, only a text.
            let text = unsafe PQresultErrorMessage(raw).map { unsafe String(cString: $0) }
            message = text.flatMap { $0.isEmpty ? nil : trimmed($0) }
        }
    }
}

/// libpq's messages end in a line feed.
func trimmed(_ message: String) -> String {
    var message = message
    while message.last?.isWhitespace == true { message.removeLast() }
    return message
}
