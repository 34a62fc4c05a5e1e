import CLibPQ

/// One connection to PostgreSQL.
///
/// Operations take turns: several tasks may use a session, each waits until the one before it
/// has its whole result. Cancelling a task cancels its statement on the server. When the
/// connection is lost, every operation throws ``PostgresError/Kind/connectionLost`` or, later,
/// ``PostgresError/Kind/closed``; a session does not come back, a pool gives a new one.
package actor Session: Querying {
    package nonisolated let settings: SessionSettings
    /// The number of the server process, as in `pg_stat_activity`.
    package nonisolated let processID: Int

    let turn = Turn()
    var connection: ConnectionHandle
    /// `nil` when the connection is gone.
    var descriptor: WatchedDescriptor?
    let cancelKey: CancelKey
    var prepared: StatementCache
    var operation: Operation?
    /// What made the open transaction fail.
    var transactionFailure: PostgresError?
    /// Whether the server was told to be more patient than usual.
    var hasExtendedTimeout = false
    /// Whether the server would write nothing: it may be another one by now, or another setting that
    /// only a session heeds that begins later.
    var isReadOnly = false

    private init(_ established: consuming EstablishedConnection, _ settings: SessionSettings) {
        self.settings = settings
        descriptor = established.descriptor
        cancelKey = established.cancelKey
        connection = established.handle
        processID = connection.processID
        prepared = StatementCache(capacity: settings.preparedStatementsMaximum)
    }

    /// Connects, trying each address of each host in their order; one that the greeting refuses as
    /// if it could not be reached is passed over, too.
    package static func open(
        _ connection: ConnectionString,
        settings: SessionSettings = SessionSettings(),
        until deadline: ContinuousClock.Instant? = nil,
        greeting: SessionGreeting? = nil
    ) async throws(PostgresError) -> Session {
        let plan = try ConnectionPlan(connection, settings)
        let connecting = Connecting(plan: plan, deadline: deadline)
        return try await connecting.establish { established async throws(PostgresError) in
            let session = Session(established, settings)
            do throws(PostgresError) {
                try await greeting?(session)
            } catch {
                await session.close()
                throw error
            }
            return session
        }
    }

    /// Runs the body with a session, which ends with it whatever happens.
    @discardableResult
    package static func with<Answer>(
        _ connection: ConnectionString,
        settings: SessionSettings = SessionSettings(),
        greeting: SessionGreeting? = nil,
        _ body: (Session) async throws -> Answer
    ) async throws -> Answer {
        let session = try await open(connection, settings: settings, greeting: greeting)
        do {
            let answer = try await body(session)
            await session.close()
            return answer
        } catch {
            await session.close()
            throw error
        }
    }

    /// Ends the session, after the operations that wait for their turn already.
    package func close() async {
        // Without a deadline, and deaf to cancellation, this does not throw.
        try? await turn.take(until: nil, .ignored)
        breakOff()
        turn.give()
    }

    /// Lets go of the connection.
    ///
    /// Whatever comes after finds it broken.
    func breakOff() {
        descriptor = nil
        connection.close()
    }

    /// Runs a file of statements, one after the other; the first that fails ends it.
    ///
    /// Without a transaction around it, PostgreSQL makes the whole file one.
    package func script(
        _ statement: Statement,
        timeout: Duration? = nil
    ) async throws(PostgresError) {
        guard statement.parameters.count == 0 else {
            throw PostgresError(.misuse, "a script has no parameters", statement: statement.text)
        }
        try await perform(statement.text, timeout: timeout ?? settings.statementTimeout) {
            () async throws(PostgresError) in
            try await self.dispatch { $0.send(script: statement.text) }
            _ = try await self.receiveOutcome(of: statement)
        }
    }
}

/// What is done with each session before anybody else may use it; whoever throws refuses it.
package typealias SessionGreeting = @Sendable (Session) async throws(PostgresError) -> Void

/// How a session behaves, beyond where it connects to.
package struct SessionSettings: Sendable, Hashable {
    /// How long one address may take to connect, unless the string has `connect_timeout`.
    package var connectTimeout: Duration = .seconds(5)

    /// How long a statement may take when its caller says nothing.
    ///
    /// The server is told a little more, for the case that this process is gone.
    package var statementTimeout: Duration = .seconds(30)

    /// How long a transaction may lie idle before the server ends the session.
    package var idleInTransactionTimeout: Duration = .seconds(60)

    /// How long a session may lie unused before the server ends it: longer than anybody keeps one
    /// who lives.
    package var idleSessionTimeout: Duration = .seconds(900)

    /// How long a stopped statement may go on before the connection is cut; `nil` never asks the
    /// server to stop one, and cuts at once.
    ///
    /// A commit that waits for its standby is not undone by a cancel: the server goes on without the
    /// standby, answers that all is well, and shows it to everybody. Whoever has to rely on what was
    /// acknowledged does not ask for that.
    package var cancelGrace: Duration? = .seconds(5)

    /// The role to act as, when it is not the one that logs in.
    package var role: String?

    /// Where names that say no schema are looked for; `nil` leaves that to the database.
    package var searchPath: String?

    /// Shown in `pg_stat_activity`.
    package var applicationName = "plimsoll"

    /// How many statements a session keeps prepared; 0 behind poolers that cannot.
    package var preparedStatementsMaximum = 128

    package init() {}

    /// What the server allows beyond the client's own deadline.
    static let serverAllowance: Duration = .seconds(5)

    /// The settings sent with the first message, in the form of `options`.
    var options: String {
        var options = [
            "statement_timeout=\(milliseconds(statementTimeout + Self.serverAllowance))",
            "idle_in_transaction_session_timeout=\(milliseconds(idleInTransactionTimeout))",
            "idle_session_timeout=\(milliseconds(idleSessionTimeout))",
            "TimeZone=UTC",
            // Whatever the server, the database or the login has for others: at another isolation
            // nothing could be appended; whoever waits for a lock has a time-out already; and the
            // migrations write bytes as the standard has them.
            "default_transaction_isolation=read committed", "lock_timeout=0",
            "standard_conforming_strings=on",
            // The same for a client that is gone, as libpq looks after the server.
            "tcp_keepalives_idle=5", "tcp_keepalives_interval=2", "tcp_keepalives_count=3",
            "tcp_user_timeout=10000",
            // Lists are read from their end, in the order of an index. A bitmap has no order: all
            // that was ever found would be sorted for the hundred rows that are wanted.
            "enable_bitmapscan=off",
        ]
        if let searchPath { options.append("search_path=\(searchPath)") }
        if let role { options.append("role=\(role)") }
        return options.map { "-c \(escaped($0))" }.joined(separator: " ")
    }

    private func escaped(_ option: String) -> String {
        option.reduce(into: "") { text, character in
            if character == " " || character == "\\" { text.append("\\") }
            text.append(character)
        }
    }
}

func milliseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
}

/// One operation of a session: from the moment it has its turn until it gives it back.
struct Operation {
    let box: CancelBox
    var cancellation: StatementCancellation
    /// For the errors.
    let text: String?
}

/// What statements can be sent to: a session, a transaction, or a pool that picks a session.
package protocol Querying: Sendable {
    /// Runs one statement to its end.
    ///
    /// A `nil` time-out stands for the session's own.
    func outcome(
        of statement: Statement,
        timeout: Duration?
    ) async throws(PostgresError) -> StatementOutcome
}

extension Querying {
    /// Answers all rows.
    @discardableResult
    package func query(
        _ statement: Statement,
        timeout: Duration? = nil
    ) async throws(PostgresError) -> [Row] {
        try await outcome(of: statement, timeout: timeout).rows
    }

    /// Answers how many rows were touched.
    @discardableResult
    package func execute(
        _ statement: Statement,
        timeout: Duration? = nil
    ) async throws(PostgresError) -> Int {
        try await outcome(of: statement, timeout: timeout).affected
    }

    /// Answers the only row, or nothing when there is none.
    package func first(
        _ statement: Statement,
        timeout: Duration? = nil
    ) async throws(PostgresError) -> Row? {
        try await query(statement, timeout: timeout).first
    }
}
