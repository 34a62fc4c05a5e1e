import CLibPQ

/// All that one statement answered.
package struct StatementOutcome: Sendable {
    package internal(set) var rows: [Row] = []
    /// How many rows were touched, or answered.
    package internal(set) var affected = 0
}

extension Session {
    package func outcome(
        of statement: Statement,
        timeout: Duration?
    ) async throws(PostgresError) -> StatementOutcome {
        let timeout = timeout ?? settings.statementTimeout
        return try await perform(statement.text, timeout: timeout) {
            () async throws(PostgresError) in
            try await self.sendOrRepeat(statement)
        }
    }

    private func sendOrRepeat(
        _ statement: Statement
    ) async throws(PostgresError) -> StatementOutcome {
        let canRepeat = connection.transaction == PQTRANS_IDLE
        do throws(PostgresError) {
            try await send(statement)
            return try await receiveOutcome(of: statement)
        } catch {
            // A prepared statement outlives what it was planned for, or is gone after
            // `DISCARD ALL`. Within a transaction it is too late to do it again.
            guard error.sqlState == .cachedPlanChanged || error.sqlState == .statementNameUnknown,
                let name = prepared.forget(statement)
            else { throw error }
            guard canRepeat else { throw error }
            if error.sqlState == .cachedPlanChanged { try await deallocate(name) }
            try await dispatch { $0.send(statement) }
            return try await receiveOutcome(of: statement)
        }
    }

    /// Sends a statement, prepared if it was seen before.
    func send(_ statement: Statement) async throws(PostgresError) {
        guard statement.parameters.count <= Int(UInt16.max) else {
            throw PostgresError(.misuse, "a statement takes at most 65535 parameters")
        }
        switch prepared.use(statement) {
        case .sendUnprepared:
            try await dispatch { $0.send(statement) }
        case .usePrepared(let name):
            try await dispatch { $0.sendPrepared(name, statement.parameters) }
        case .prepare(let name):
            try await dispatch { $0.sendPrepare(name, statement) }
            _ = try await receiveOutcome(of: statement)
            if let old = prepared.prepared(statement, as: name) { try await deallocate(old) }
            try await dispatch { $0.sendPrepared(name, statement.parameters) }
        }
    }

    private func deallocate(_ name: String) async throws(PostgresError) {
        let statement: Statement = "DEALLOCATE \(identifier: name)"
        try await dispatch { $0.send(statement) }
        _ = try await receiveOutcome(of: statement)
    }

    /// Reads results until there are no more; the first error wins.
    func receiveOutcome(of statement: Statement) async throws(PostgresError) -> StatementOutcome {
        var outcome = StatementOutcome()
        var error: PostgresError?
        while let result = try await next() {
            switch result.status {
            case PGRES_TUPLES_OK:
                outcome.rows = collectRows(result, statement)
                outcome.affected = result.affectedCount
            case PGRES_COMMAND_OK:
                outcome.affected = result.affectedCount
            case PGRES_EMPTY_QUERY:
                break
            case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
                // There is a function for it; here nobody would read, so the session ends.
                breakOff()
                throw PostgresError(.misuse, "COPY goes through copyIn and copyOut")
            default:
                error = error ?? failure(result)
            }
        }
        if let error { throw error }
        if connection.isBroken { throw lost(nil) }
        return outcome
    }

    private func collectRows(
        _ result: borrowing ResultHandle,
        _ statement: Statement
    ) -> [Row] {
        guard result.rowCount > 0 else { return [] }
        var builder = RowBlockBuilder(columns: columns(result, statement))
        var rows: [Row] = []
        rows.reserveCapacity(result.rowCount)
        for index in 0..<result.rowCount {
            builder.append(result, row: index)
            if builder.isFull || index == result.rowCount - 1 {
                rows.append(contentsOf: builder.finish().rows)
            }
        }
        return rows
    }

    private func columns(_ result: borrowing ResultHandle, _ statement: Statement) -> Columns {
        if let known = prepared.columns(of: statement), result.hasTypes(of: known) { return known }
        let columns = result.readColumns()
        prepared.remember(columns, of: statement)
        return columns
    }
}

extension Session {
    /// How to find out whether a session is still there.
    enum Probe {
        /// Without asking the server: it takes less than a microsecond.
        case byLooking
        case byRoundTrip
    }

    static let probeTimeout: Duration = .seconds(2)
    static let rollbackTimeout: Duration = .seconds(5)

    /// Whether an operation is under way.
    package var isBusy: Bool { operation != nil }

    /// Whether it is there, and of use: one that takes no writes is given up for another.
    func isAlive(_ probe: Probe) async -> Bool {
        guard operation == nil, descriptor != nil, !isReadOnly else { return false }
        // The end of the stream may come one read after the server's last words.
        guard connection.consumeInput(), connection.consumeInput(),
            !connection.isBroken, connection.notices.fatal == nil,
            connection.transaction == PQTRANS_IDLE
        else {
            breakOff()
            return false
        }
        guard probe == .byRoundTrip else { return true }
        do throws(PostgresError) {
            try await execute("", timeout: Self.probeTimeout)
            return true
        } catch {
            return false
        }
    }

    /// Makes the session fit for the next user; answers whether that worked.
    ///
    /// Prepared statements stay. Session settings stay too, hence `SET LOCAL` only.
    func tidyUp() async -> Bool {
        do throws(PostgresError) {
            // Somebody may still have a statement under way, and with it the turn.
            try await turn.take(until: .now + Self.probeTimeout, .ignored)
            turn.give()
        } catch {
            breakOff()
        }
        do throws(PostgresError) {
            if connection.transaction != PQTRANS_IDLE { try await rollBack() }
        } catch {
            breakOff()
        }
        return descriptor != nil && connection.transaction == PQTRANS_IDLE && !isReadOnly
    }
}
