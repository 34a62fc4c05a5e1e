import PlimsollServer

/// Looks at the settings of the server that keeps the log, as they are now, and at what the login
/// may do to it.
///
/// The service looks at its start; somebody may have changed them since.
struct DatabaseCheck {
    let database: RunningDatabase

    func findings() async -> [Finding] {
        do throws(LogCheckFailure) {
            let faults = try await database.settingFaults()
            guard faults.isEmpty else {
                return faults.map {
                    .bad("database", $0, "Mend it, reload PostgreSQL, and look again.")
                }
            }
            return [
                .good("database", "its settings keep what was acknowledged"),
                try await loginFinding(),
            ]
        } catch {
            return [
                .bad(
                    "database",
                    legible(error.description),
                    "Start it, or run this as an account that may connect; a private one runs with"
                        + " plimsoll serve."
                )
            ]
        }
    }

    private func loginFinding() async throws(LogCheckFailure) -> Finding {
        let faults = try await database.loginFaults()
        guard faults.isEmpty else {
            return .bad(
                "database login",
                legible(faults.joined(separator: " ")),
                "Give the service a login that may append and read, and this one as"
                    + " PLIMSOLL_MIGRATION_URL."
            )
        }
        return .good("database login", "it may append and read, and owns nothing of the log")
    }
}
