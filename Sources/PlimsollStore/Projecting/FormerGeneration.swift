import PlimsollPostgres

extension SessionPool {
    /// Takes a generation away that is not live: a former one, or what a rebuild left unfinished.
    ///
    /// To take a part away the whole is locked, and whoever comes to read stands behind who waits for
    /// that: so it is waited for a moment at a time. What takes long and locks nothing goes before.
    func drop(generation: Int32) async throws {
        for rows: Statement in [
            "DELETE FROM projection.change WHERE generation = \(generation)",
            "DELETE FROM projection.snapshot WHERE generation = \(generation)",
        ] { try await execute(rows, timeout: dropTimeout) }
        let deadline = ContinuousClock.now + dropTimeout
        while true {
            do {
                return try await withTransaction { transaction in
                    try await transaction.execute("SET LOCAL lock_timeout = '200 ms'")
                    try await transaction.query(
                        "SELECT projection.drop_generation(\(generation))",
                        timeout: dropTimeout
                    )
                }
            } catch let error as PostgresError
                where error.sqlState == .lockNotAvailable && .now < deadline
            {
                try await Task.sleep(for: dropPause)
            }
        }
    }
}

private let dropTimeout = Duration.seconds(3600)
private let dropPause = Duration.seconds(1)
