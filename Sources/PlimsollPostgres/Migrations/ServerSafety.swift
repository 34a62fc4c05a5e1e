/// Whether a server keeps what it has acknowledged, when its power fails or it is replaced.
package struct ServerSafety: Sendable {
    /// What must not be `off`.
    static let settings = ["fsync", "full_page_writes", "synchronous_commit"]

    /// Refuses a server, or a session on it, that may lose acknowledged commits.
    package static func check(_ querying: some Querying) async throws {
        let row = try await querying.first(
            """
            SELECT ARRAY(
                SELECT name FROM pg_catalog.pg_settings
                WHERE name = ANY (\(settings)) AND setting = 'off' ORDER BY name COLLATE "C"
            ), pg_catalog.pg_is_in_recovery()
            """
        )
        guard let row else { throw PostgresError(.decoding, "a SELECT of values answers a row") }
        let (off, isReplica) = try row.decode(([String], Bool).self)
        guard off.isEmpty, !isReplica else {
            throw UnsafeServer(settings: off, isReplica: isReplica)
        }
    }
}

/// A server that may lose what it has acknowledged.
package struct UnsafeServer: Error, Sendable, Hashable {
    /// The settings that are off.
    package let settings: [String]
    /// Whether it follows another server, which may have more, or other, than it has.
    package let isReplica: Bool

    package init(settings: [String], isReplica: Bool = false) {
        self.settings = settings
        self.isReplica = isReplica
    }
}

extension UnsafeServer: CustomStringConvertible {
    /// What is wrong, and what to do about it; all of it, so that one start finds everything.
    package var description: String {
        [settingsSentence, isReplica ? Self.replicaSentence : nil].compactMap { $0 }
            .joined(separator: " ")
    }

    private static let replicaSentence =
        "PostgreSQL is a replica or still recovers; give the address of the server that takes"
        + " writes, or wait until the recovery has ended."

    private var settingsSentence: String? {
        guard !settings.isEmpty else { return nil }
        let list = settings.map { "\($0) = off" }.joined(separator: " and ")
        return "PostgreSQL runs with \(list), so it may lose changes it has confirmed: "
            + "switch \(settings.joined(separator: " and ")) on (ALTER SYSTEM, or for the role "
            + "or database that has it off) and start again."
    }
}
