/// Whether a server keeps what it has acknowledged, when its power fails.
package struct ServerSafety: Sendable {
    /// What must not be `off`.
    static let settings = ["fsync", "full_page_writes", "synchronous_commit"]

    /// Refuses a server, or a session on it, that may lose acknowledged commits.
    package static func check(_ querying: some Querying) async throws {
        let rows = try await querying.query(
            "SELECT name FROM pg_settings WHERE name = ANY (\(settings)) AND setting = 'off'"
        )
        let off = try rows.map { try $0.value("name", as: String.self) }
        guard off.isEmpty else { throw UnsafeServer(settings: off.sorted()) }
    }
}

/// A server that may lose what it has acknowledged.
package struct UnsafeServer: Error, Sendable, Hashable, CustomStringConvertible {
    package let settings: [String]

    package var description: String {
        let list = settings.map { "\($0) = off" }.joined(separator: " and ")
        return "PostgreSQL runs with \(list), so it may lose changes it has confirmed: "
            + "switch \(settings.joined(separator: " and ")) on (ALTER SYSTEM, or for the role "
            + "or database that has it off) and start again"
    }
}
