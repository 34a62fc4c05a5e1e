import CLibPQ

// What every operation is made of: a turn, a cancel box, a clock; sending, waiting, receiving.
extension Session {
    /// Runs an operation in its turn, and stops it on the server when its task is cancelled or
    /// its time is over.
    func perform<Value>(
        _ text: String?,
        timeout: Duration?,
        _ cancellation: Turn.Cancellation = .heeded,
        _ body: () async throws(PostgresError) -> Value
    ) async throws(PostgresError) -> Value {
        let deadline = timeout.map { ContinuousClock.now + $0 }
        try await turn.take(until: deadline, cancellation)
        defer { turn.give() }
        let box = try begin(text, deadline: deadline, cancellation)
        let result = await stopping(cancellation == .heeded ? box : nil) {
            () async throws(PostgresError) in
            try await self.extendServerTimeout(to: timeout)
            return try await body()
        }
        return try await end(box, text, result)
    }

    /// Stops what the box stands for when the task is cancelled while the body runs.
    private func stopping<Value>(
        _ box: CancelBox?,
        _ body: () async throws(PostgresError) -> Value
    ) async -> Result<Value, PostgresError> {
        await withTaskCancellationHandler {
            do throws(PostgresError) {
                return .success(try await body())
            } catch {
                return .failure(error)
            }
        } onCancel: {
            box?.request(.cancelled)
        }
    }

    private func begin(
        _ text: String?,
        deadline: ContinuousClock.Instant?,
        _ cancellation: Turn.Cancellation = .heeded
    ) throws(PostgresError) -> CancelBox {
        guard let descriptor else { throw PostgresError(.closed, statement: text) }
        if cancellation == .heeded, Task.isCancelled {
            throw PostgresError(.cancelled, statement: text)
        }
        let grace = settings.cancelGrace
        let box = CancelBox(key: grace == nil ? nil : cancelKey, descriptor: descriptor)
        let cancellation = StatementCancellation(deadline: deadline, grace: grace ?? .zero)
        operation = Operation(box: box, cancellation: cancellation, text: text)
        return box
    }

    private func end<Value>(
        _ box: CancelBox,
        _ text: String?,
        _ result: Result<Value, PostgresError>
    ) async throws(PostgresError) -> Value {
        if operation?.cancellation.isCut != true { await box.finish() }
        operation = nil
        if connection.isBroken { breakOff() }
        await restoreServerTimeout()
        switch result {
        case .success(let value):
            return value
        case .failure(let error):
            let error = blame(error, box.cause).naming(text)
            if connection.transaction == PQTRANS_INERROR {
                transactionFailure = transactionFailure ?? error
            }
            throw error
        }
    }

    /// PostgreSQL says the same of a time-out and of a cancel; only we know which it was.
    private func blame(_ error: PostgresError, _ cause: CancelBox.Cause?) -> PostgresError {
        guard let cause, error.sqlState == .queryCanceled || error.kind == .connectionLost else {
            return error
        }
        var error = error
        switch cause {
        case .cancelled: error.kind = .cancelled
        case .timedOut: error.kind = .timedOut(.statement)
        case .abandoned: break
        }
        return error
    }

    // MARK: - Sending

    /// Gives libpq something to send, and sees it off.
    func dispatch(
        _ send: (borrowing ConnectionHandle) -> Bool
    ) async throws(PostgresError) {
        guard send(connection) else {
            throw connection.isBroken
                ? lost(nil) : PostgresError(.misuse, connection.errorMessage)
        }
        try await flush()
        operation?.box.start()
    }

    func flush() async throws(PostgresError) {
        while true {
            switch connection.flush() {
            case 0:
                return
            case 1:
                // Wait for both: a server whose own answers are stuck reads no more.
                try await wait(for: .both)
                _ = connection.consumeInput()
            default:
                // What the server said before it went is still to be read.
                return
            }
        }
    }

    // MARK: - Receiving

    func next() async throws(PostgresError) -> ResultHandle? {
        try await awaitInput()
        return connection.nextResult()
    }

    /// Waits until libpq can answer without waiting.
    private func awaitInput() async throws(PostgresError) {
        while connection.isBusy {
            if connection.isEncrypted {
                // Bytes may lie in OpenSSL while the socket is silent.
                _ = connection.consumeInput()
                if !connection.isBusy { return heedClock() }
            }
            try await wait(for: .reading)
            // Broken; yet what arrived before is still to be read, and may say why.
            if !connection.consumeInput() { return }
        }
    }

    func wait(for interest: Readiness.Interest) async throws(PostgresError) {
        guard let descriptor else { throw lost(nil) }
        let outcome = await descriptor.wait(for: interest, until: operation?.cancellation.nextLook)
        if outcome != .ready || operation?.box.cause != nil { heedClock() }
    }

    /// Does what is due; also called where much arrives and so nothing is waited for.
    func heedClock() {
        let now = ContinuousClock.now
        if operation?.box.cause != nil { operation?.cancellation.stopRequested(at: now) }
        switch operation?.cancellation.look(at: now) {
        case .askToStop: operation?.box.request(.timedOut)
        case .cut: descriptor?.shutDown()
        case .carryOn, nil: break
        }
    }

    func lost(_ server: ServerMessage?) -> PostgresError {
        let known = server ?? connection.notices.fatal
        return PostgresError(
            .connectionLost,
            server: known ?? ServerMessage(message: connection.errorMessage)
        )
    }

    /// Turns a failed result into an error.
    func failure(_ result: borrowing ResultHandle) -> PostgresError {
        let message = result.serverMessage
        if message.isFatal || message.sqlState == nil && connection.isBroken {
            return lost(message.sqlState == nil ? nil : message)
        }
        if message.sqlState == .readOnlyTransaction { isReadOnly = true }
        return PostgresError(.server, server: message)
    }
}

// The server has a time-out of its own, for the case that this process is gone. What may take
// longer says so, and puts it back afterwards.
extension Session {
    static let restoreTimeout: Duration = .seconds(5)

    func extendServerTimeout(to timeout: Duration?) async throws(PostgresError) {
        if let timeout, timeout <= settings.statementTimeout { return }
        guard connection.transaction == PQTRANS_IDLE || connection.transaction == PQTRANS_INTRANS
        else { return }
        let limit = timeout.map { milliseconds($0 + SessionSettings.serverAllowance) } ?? 0
        try await setServerTimeout(limit)
        hasExtendedTimeout = true
    }

    /// Called between operations; a session where it fails is given up.
    func restoreServerTimeout() async {
        guard hasExtendedTimeout else { return }
        hasExtendedTimeout = false
        // The end of a failed transaction takes the setting back with it.
        guard descriptor != nil, connection.transaction != PQTRANS_INERROR else { return }
        let usual = settings.statementTimeout + SessionSettings.serverAllowance
        do throws(PostgresError) {
            let box = try begin(nil, deadline: .now + Self.restoreTimeout, .ignored)
            try await setServerTimeout(milliseconds(usual))
            await box.finish()
        } catch {
            breakOff()
        }
        operation = nil
    }

    private func setServerTimeout(_ limit: Int64) async throws(PostgresError) {
        let statement: Statement = "SET statement_timeout = \(literal: limit)"
        try await dispatch { $0.send(statement) }
        _ = try await receiveOutcome(of: statement)
    }
}
