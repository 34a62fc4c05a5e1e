/// What went wrong between this process and PostgreSQL.
///
/// ``description`` names the kind, the SQLSTATE and the objects concerned, and never what the
/// server says about values; the full words are in ``debugDescription``, which nothing logs.
/// Neither holds parameters.
package struct PostgresError: Error, Sendable, Hashable {
    /// What went wrong, and so what is known of the statement.
    package enum Kind: Sendable, Hashable {
        /// The server refused the statement; see ``PostgresError/sqlState``.
        case server
        /// No session could be had; nothing was sent.
        case connectFailed
        /// The session ended while a statement was under way: it may or may not have run.
        case connectionLost
        /// The session ended while `COMMIT` was under way. Never done again by this module.
        case commitUnknown
        /// The task was cancelled, and the statement with it.
        case cancelled
        /// A deadline passed.
        case timedOut(Phase)
        /// A value was not what the caller asked for.
        case decoding
        /// An earlier statement of the transaction failed, so it was not committed.
        case aborted
        /// The pool has stopped, or the session was closed.
        case closed
        /// The caller broke a rule of this module.
        case misuse
    }

    /// What took too long.
    package enum Phase: String, Sendable, Hashable {
        case connect, pool, turn, statement
    }

    package var kind: Kind
    /// The server's own words, where it had any.
    package var server: ServerMessage?
    /// The statement's text, without its parameters.
    package var statement: String?
    /// What this module has to say; free of values.
    package var note: String?

    package init(
        _ kind: Kind,
        _ note: String? = nil,
        server: ServerMessage? = nil,
        statement: String? = nil
    ) {
        self.kind = kind
        self.note = note
        self.server = server
        self.statement = statement
    }

    package var sqlState: SQLState? { server?.sqlState }
    package var constraint: String? { server?.constraint }
    package var message: String { server?.message ?? note ?? "\(kind)" }

    /// Whether the database is away, or may do the same a moment later.
    package var isTransient: Bool {
        switch kind {
        case .connectFailed, .connectionLost, .commitUnknown, .cancelled, .timedOut, .aborted,
            .closed:
            true
        case .server: sqlState?.isTransient ?? false
        case .decoding, .misuse: false
        }
    }

    func naming(_ statement: String?) -> PostgresError {
        var copy = self
        copy.statement = copy.statement ?? statement
        return copy
    }
}

extension PostgresError: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String {
        var words = [sentence]
        if let sqlState { words.append("SQLSTATE \(sqlState)") }
        if let constraint { words.append("constraint \(constraint)") }
        if let table = server?.table { words.append("table \(table)") }
        if let column = server?.column { words.append("column \(column)") }
        return words.joined(separator: ", ")
    }

    /// The same with the statement, in one line, for an operator's log.
    package var descriptionWithStatement: String {
        guard let statement else { return description }
        let words = statement.split(whereSeparator: \.isWhitespace)
        return "\(description), statement: \(words.joined(separator: " "))"
    }

    package var debugDescription: String {
        var lines = [description]
        if let message = server?.message { lines.append("message: \(message)") }
        if let detail = server?.detail { lines.append("detail: \(detail)") }
        if let hint = server?.hint { lines.append("hint: \(hint)") }
        if let context = server?.context { lines.append("context: \(context)") }
        if let statement { lines.append("statement: \(statement)") }
        return lines.joined(separator: "\n")
    }

    private var sentence: String {
        let opening =
            switch kind {
            case .server: "PostgreSQL refused the statement"
            case .connectFailed: "no connection to PostgreSQL"
            case .connectionLost: "the connection to PostgreSQL was lost during a statement"
            case .commitUnknown: "the connection was lost during COMMIT, its outcome is unknown"
            case .cancelled: "the statement was cancelled"
            case .timedOut(let phase): "PostgreSQL took too long (\(phase.rawValue))"
            case .decoding: "a value from PostgreSQL is not what was asked for"
            case .aborted: "an earlier statement of the transaction failed"
            case .closed: "the connection to PostgreSQL is closed"
            case .misuse: "PostgreSQL was used wrongly"
            }
        return note.map { "\(opening): \($0)" } ?? opening
    }
}

/// The five characters by which PostgreSQL names a condition.
package struct SQLState: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }
    package init(stringLiteral value: String) { rawValue = value }

    package static let uniqueViolation: SQLState = "23505"
    package static let serializationFailure: SQLState = "40001"
    package static let deadlockDetected: SQLState = "40P01"
    package static let queryCanceled: SQLState = "57014"
    package static let readOnlyTransaction: SQLState = "25006"
    package static let lockNotAvailable: SQLState = "55P03"
    package static let cachedPlanChanged: SQLState = "0A000"
    package static let statementNameUnknown: SQLState = "26000"
    package static let raised: SQLState = "P0001"

    /// Whether the whole transaction may succeed when it is done again.
    package var isRetryableTransaction: Bool {
        self == .serializationFailure || self == .deadlockDetected
    }

    /// Whether the same may be done a moment later: the server stops, starts or was told to end it,
    /// has too little of something, leads no more, or another transaction stood in the way.
    package var isTransient: Bool {
        let states: [SQLState] = [
            .readOnlyTransaction, .lockNotAvailable, .cachedPlanChanged, .statementNameUnknown,
        ]
        return states.contains(self)
            || ["08", "40", "53", "57"].contains { rawValue.hasPrefix($0) }
    }

    /// Whether the server ended the session, or cannot take one now.
    package var isConnectionLoss: Bool {
        rawValue.hasPrefix("08") || ["57P01", "57P02", "57P03", "57P05"].contains(rawValue)
    }
}

extension SQLState: CustomStringConvertible {
    package var description: String { rawValue }
}

/// What the server said about an error or a notice, in its own words.
package struct ServerMessage: Sendable, Hashable {
    package var severity: String?
    package var sqlState: SQLState?
    package var message: String?
    package var detail: String?
    package var hint: String?
    package var table: String?
    package var column: String?
    package var constraint: String?
    package var context: String?

    /// Whether the server has ended the session with it.
    package var isFatal: Bool { severity == "FATAL" || severity == "PANIC" }
}
