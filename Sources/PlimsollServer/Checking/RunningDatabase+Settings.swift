import PlimsollPostgres
import PlimsollStore

extension RunningDatabase {
    /// What the login could do beyond appending and reading, as sentences.
    package func loginFaults() async throws(LogCheckFailure) -> [String] {
        do {
            return try await LoginPower.read(connection)
        } catch {
            throw unreadable(error)
        }
    }

    /// Everything that makes the server unsafe for the log now, as sentences.
    package func settingFaults() async throws(LogCheckFailure) -> [String] {
        try await withPool(sessionsMaximum: 1) { pool throws(LogCheckFailure) in
            do {
                try await ServerSafety.check(pool)
                return []
            } catch let fault as UnsafeServer {
                return [fault.description]
            } catch {
                throw unreadable(error)
            }
        }
    }

    private func unreadable(_ error: any Error) -> LogCheckFailure {
        LogCheckFailure(description: "The database at \(connection) cannot be read: \(error)")
    }
}
