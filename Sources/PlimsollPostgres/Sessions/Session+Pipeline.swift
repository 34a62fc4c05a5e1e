import CLibPQ

extension Session {
    /// Sends several statements at once, in one round trip.
    ///
    /// The server takes them as one transaction, unless they begin and commit their own: when
    /// one fails, nothing of them stays, and those after it answer
    /// ``PostgresError/Kind/aborted``. They cannot depend on each other's answers.
    package func pipeline(
        _ statements: [Statement],
        timeout: Duration? = nil
    ) async throws(PostgresError) -> [Result<StatementOutcome, PostgresError>] {
        let text = statements.first?.text
        return try await perform(text, timeout: timeout ?? settings.statementTimeout) {
            () async throws(PostgresError) in
            try await self.runPipeline(statements)
        }
    }

    private func runPipeline(
        _ statements: [Statement]
    ) async throws(PostgresError) -> [Result<StatementOutcome, PostgresError>] {
        guard connection.enterPipeline() else {
            throw PostgresError(.misuse, connection.errorMessage)
        }
        for statement in statements where !queue(statement) {
            breakOff()
            throw PostgresError(.misuse, connection.errorMessage, statement: statement.text)
        }
        try await dispatch { $0.sendSync() }
        var answers: [Result<StatementOutcome, PostgresError>] = []
        for statement in statements {
            answers.append(try await receiveAnswer(of: statement))
        }
        // One Sync was sent, one must come back, or answers would go to the wrong statements.
        guard let sync = try await next(), sync.status == PGRES_PIPELINE_SYNC,
            connection.exitPipeline()
        else {
            defer { breakOff() }
            throw lost(nil)
        }
        return answers
    }

    private func queue(_ statement: Statement) -> Bool {
        // To prepare would be one more answer to match; it is left to single statements.
        if case .usePrepared(let name) = prepared.peek(statement) {
            return connection.sendPrepared(name, statement.parameters)
        }
        return connection.send(statement)
    }

    /// In a pipeline, each statement's results end with a nothing.
    private func receiveAnswer(
        of statement: Statement
    ) async throws(PostgresError) -> Result<StatementOutcome, PostgresError> {
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
            case PGRES_PIPELINE_ABORTED:
                error = PostgresError(.aborted)
            case PGRES_PIPELINE_SYNC, PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
                breakOff()
                throw PostgresError(.misuse, "a pipeline got out of step or was given COPY")
            default:
                error = error ?? failure(result)
            }
        }
        if connection.isBroken { throw error ?? lost(nil) }
        return error.map { .failure($0.naming(statement.text)) } ?? .success(outcome)
    }
}
