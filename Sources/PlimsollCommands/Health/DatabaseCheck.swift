import PlimsollServer

/// Looks at the settings of the server that keeps the log, as they are now.
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
            return [.good("database", "its settings keep what was acknowledged")]
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
}
