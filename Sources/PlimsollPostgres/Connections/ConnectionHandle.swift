import CLibPQ
import Synchronization

/// Owns a `PGconn` and finishes it once.
///
/// Each function is one call of libpq that does not wait. After ``close()`` libpq is given a
/// null pointer, which it takes for a broken connection.
@safe struct ConnectionHandle: ~Copyable {
    private var raw: OpaquePointer?
    let notices = NoticeLog()

    /// Begins to connect; `nil` when memory ran out.
    init?(starting parameters: [(keyword: String, value: String)]) {
        let keywords = parameters.map(\.keyword)
        let values = parameters.map(\.value)
        let started = unsafe withCStrings(keywords) { keywords in
            unsafe withCStrings(values) { values in
                unsafe PQconnectStartParams(keywords, values, 0)
            }
        }
        guard let started = unsafe started else { return nil }
        unsafe raw = started
        unsafe notices.receive(from: started)
        // A failure to connect has no fields, only a text; this puts the SQLSTATE into it.
        _ = unsafe PQsetErrorVerbosity(started, PQERRORS_VERBOSE)
    }

    deinit { unsafe PQfinish(raw) }

    mutating func close() {
        unsafe PQfinish(raw)
        unsafe raw = nil
    }

    // MARK: - State

    var isBroken: Bool { unsafe PQstatus(raw) == CONNECTION_BAD }
    var socket: CInt { unsafe PQsocket(raw) }
    var isEncrypted: Bool { unsafe PQsslInUse(raw) == 1 }
    var transaction: PGTransactionStatusType { unsafe PQtransactionStatus(raw) }
    var processID: Int { Int(unsafe PQbackendPID(raw)) }

    var errorMessage: String {
        unsafe PQerrorMessage(raw).map { unsafe trimmed(String(cString: $0)) } ?? ""
    }

    func poll() -> PostgresPollingStatusType { unsafe PQconnectPoll(raw) }

    /// Prepares a connection that has been made for its use.
    func settle() -> Bool {
        _ = unsafe PQsetErrorVerbosity(raw, PQERRORS_DEFAULT)
        return unsafe PQsetnonblocking(raw, 1) == 0
    }

    func makeCancelKey() -> CancelKey? {
        unsafe PQgetCancel(raw).map { unsafe CancelKey(owning: $0) }
    }

    // MARK: - Sending

    func send(script text: String) -> Bool { unsafe PQsendQuery(raw, text) == 1 }

    func send(_ statement: Statement) -> Bool {
        let types = statement.parameters.types
        return unsafe statement.parameters.withPointers { values, lengths, formats in
            unsafe PQsendQueryParams(
                raw,
                statement.text,
                CInt(types.count),
                types,
                values,
                lengths,
                formats,
                1
            )
        } == 1
    }

    func sendPrepare(_ name: String, _ statement: Statement) -> Bool {
        let types = statement.parameters.types
        return unsafe PQsendPrepare(raw, name, statement.text, CInt(types.count), types) == 1
    }

    func sendPrepared(_ name: String, _ parameters: Parameters) -> Bool {
        unsafe parameters.withPointers { values, lengths, formats in
            unsafe PQsendQueryPrepared(
                raw,
                name,
                CInt(parameters.count),
                values,
                lengths,
                formats,
                1
            )
        } == 1
    }

    /// 0: all is sent; 1: the kernel takes no more now; -1: the connection is broken.
    func flush() -> CInt { unsafe PQflush(raw) }

    // MARK: - Receiving

    func consumeInput() -> Bool { unsafe PQconsumeInput(raw) == 1 }
    var isBusy: Bool { unsafe PQisBusy(raw) == 1 }

    func nextResult() -> ResultHandle? {
        unsafe PQgetResult(raw).map { unsafe ResultHandle(owning: $0) }
    }

    // MARK: - COPY

    enum CopyData {
        case data, nothingYet, ended
    }

    /// Lends the next message of a `COPY … TO STDOUT`, if it is there already.
    func nextCopyData(_ body: (UnsafeRawBufferPointer) -> Void) -> CopyData {
        var message: UnsafeMutablePointer<CChar>?
        let length = unsafe PQgetCopyData(raw, &message, 1)
        guard length > 0 else { return length == 0 ? .nothingYet : .ended }
        unsafe body(UnsafeRawBufferPointer(start: message, count: Int(length)))
        unsafe PQfreemem(message)
        return .data
    }

    /// 1: taken; 0: the buffers are full; -1: the connection is broken.
    func putCopyData(_ bytes: ArraySlice<UInt8>) -> CInt {
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe PQputCopyData(
                raw,
                bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                CInt(bytes.count)
            )
        }
    }

    /// Ends a `COPY … FROM STDIN`, or makes it fail for a reason.
    ///
    /// Answers as above.
    func endCopy(_ reason: String?) -> CInt { unsafe PQputCopyEnd(raw, reason) }

    // MARK: - Notifications

    func nextNotification() -> (channel: String, payload: String)? {
        guard let notification = unsafe PQnotifies(raw) else { return nil }
        defer { unsafe PQfreemem(notification) }
        return unsafe (
            String(cString: notification.pointee.relname),
            String(cString: notification.pointee.extra)
        )
    }
}

/// Lends a null-terminated array of C strings.
private func withCStrings<Result>(
    _ strings: [String],
    _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
    let characters = strings.map { Array($0.utf8CString) }
    let starts = characters.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
    return unsafe characters.flatMap { $0 }.withUnsafeBufferPointer { buffer in
        var pointers = unsafe strings.indices.map { index in
            unsafe buffer.baseAddress.map { unsafe $0 + starts[index] }
        }
        unsafe pointers.append(nil)
        return unsafe pointers.withUnsafeBufferPointer { pointers in
            guard let base = pointers.baseAddress else {
                preconditionFailure("an array with a terminator is not empty")
            }
            return unsafe body(base)
        }
    }
}

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

/// Keeps what the server says unasked.
///
/// A session that the server ends while it is idle learns of it only so: as a notice.
final class NoticeLog: Sendable {
    private let lastFatal = Mutex<ServerMessage?>(nil)

    /// Why the server ended the session, if it did.
    var fatal: ServerMessage? { lastFatal.withLock { $0 } }

    func record(_ message: ServerMessage) {
        guard message.isFatal else { return }
        lastFatal.withLock { $0 = message }
    }

    /// Makes libpq tell this log instead of writing to standard error.
    ///
    /// The caller keeps the log alive for as long as the connection.
    func receive(from connection: OpaquePointer) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        _ = unsafe PQsetNoticeReceiver(
            connection,
            { context, result in
                guard let context = unsafe context else { return }
                let log = unsafe Unmanaged<NoticeLog>.fromOpaque(context)
                unsafe log.takeUnretainedValue().record(ServerMessage(result: result))
            },
            context
        )
    }
}
