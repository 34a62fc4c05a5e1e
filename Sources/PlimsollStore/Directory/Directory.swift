package import PlimsollDomain
package import PlimsollPostgres

/// The names of principals, which stand outside the log and can be erased.
package struct Directory: Sendable {
    private let database: any Querying

    package init(_ database: any Querying) {
        self.database = database
    }

    package func remember(
        _ name: String,
        of principal: PrincipalID
    ) async throws(PostgresError) {
        try await database.execute(
            """
            INSERT INTO directory.principal (id, name) VALUES (\(principal.text), \(name))
            ON CONFLICT (id) DO UPDATE SET name = excluded.name
            """
        )
    }

    /// Erases names; nothing is left of them here.
    package func forget(_ principals: Set<PrincipalID>) async throws(PostgresError) {
        try await database.execute(
            "DELETE FROM directory.principal WHERE id = ANY(\(principals.map(\.text)))"
        )
    }

    /// Every name that is known.
    package func everyName() async throws(PostgresError) -> [PrincipalID: String] {
        try names(in: await database.query("SELECT id, name FROM directory.principal"))
    }

    /// The names that are known, and not erased.
    package func names(
        of principals: Set<PrincipalID>
    ) async throws(PostgresError) -> [PrincipalID: String] {
        let rows = try await database.query(
            """
            SELECT id, name FROM directory.principal
            WHERE id = ANY(\(principals.map(\.text)))
            """
        )
        return try names(in: rows)
    }

    private func names(in rows: [Row]) throws(PostgresError) -> [PrincipalID: String] {
        var names: [PrincipalID: String] = [:]
        for row in rows {
            let (id, name) = try row.decode((String, String).self)
            guard let principal = PrincipalID(id) else { continue }
            names[principal] = name
        }
        return names
    }
}
