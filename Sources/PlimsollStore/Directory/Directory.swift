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
        var names: [PrincipalID: String] = [:]
        for row in rows {
            let (id, name) = try row.decode((String, String).self)
            guard let principal = PrincipalID(id) else { continue }
            names[principal] = name
        }
        return names
    }
}
