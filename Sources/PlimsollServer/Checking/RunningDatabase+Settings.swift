import PlimsollPostgres

extension RunningDatabase {
    /// Everything that makes the server unsafe for the log now, as sentences.
    package func settingFaults() async throws(LogCheckFailure) -> [String] {
        try await withPool(sessionsMaximum: 1) { pool throws(LogCheckFailure) in
            do {
                try await ServerSafety.check(pool)
                return []
            } catch let fault as UnsafeServer {
                return [fault.description]
            } catch {
                throw LogCheckFailure(
                    description: "The database at \(connection) cannot be read: \(error)"
                )
            }
        }
    }
}
