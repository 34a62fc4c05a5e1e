import CLibPQ

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
