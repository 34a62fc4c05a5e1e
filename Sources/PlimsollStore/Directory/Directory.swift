import FoundationEssentials
package import PlimsollDomain
package import PlimsollPostgres

/// The names of principals, which stand outside the log and can be erased.
package struct Directory: Sendable {
    private let database: any Querying

    package init(_ database: any Querying) {
        self.database = database
    }

    /// Writes a name down unless one stands there; answers the one that does, and whether that is new.
    ///
    /// `nil` where one stood there and has just been taken away.
    @discardableResult
    package func hold(
        _ name: SaltedName,
        of principal: PrincipalID
    ) async throws(PostgresError) -> (name: SaltedName, isNew: Bool)? {
        let written = try await database.query(
            """
            INSERT INTO directory.principal (id, name, salt)
            VALUES (\(principal.text), \(name.name), \(name.salt as [UInt8]?))
            ON CONFLICT (id) DO NOTHING RETURNING id
            """
        )
        if !written.isEmpty { return (name, true) }
        return try await names(of: [principal])[principal].map { ($0, false) }
    }

    /// Writes down what the log says that a name is, over whatever stands there; answers whether that was
    /// anything else.
    package func correct(
        _ name: SaltedName,
        of principal: PrincipalID
    ) async throws(PostgresError) -> Bool {
        let written = try await database.query(
            """
            INSERT INTO directory.principal AS known (id, name, salt)
            VALUES (\(principal.text), \(name.name), \(name.salt as [UInt8]?))
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, salt = excluded.salt
            WHERE (known.name, known.salt) IS DISTINCT FROM (excluded.name, excluded.salt)
            RETURNING id
            """
        )
        return !written.isEmpty
    }

    /// Takes a name away that was written down for somebody who was not let in: that one, and no other
    /// that stands in its place.
    ///
    /// It stays where the log knows the command by which they were to be let in.
    package func takeBack(
        _ name: SaltedName,
        of principal: PrincipalID,
        unlessDone command: CommandID? = nil
    ) async throws(PostgresError) {
        try await database.execute(
            """
            DELETE FROM directory.principal WHERE id = \(principal.text) AND name = \(name.name)
                AND salt IS NOT DISTINCT FROM \(name.salt as [UInt8]?) AND NOT EXISTS (
                    SELECT FROM log.command WHERE command_id = \(command?.uuid as UUID?)
                )
            """
        )
    }

    /// Erases names and their salts; nothing is left of them here.
    package func forget(_ principals: Set<PrincipalID>) async throws(PostgresError) {
        try await database.execute(
            "DELETE FROM directory.principal WHERE id = ANY(\(principals.map(\.text)))"
        )
    }

    /// Every name that is known.
    package func everyName() async throws(PostgresError) -> [PrincipalID: SaltedName] {
        try names(in: await database.query("SELECT id, name, salt FROM directory.principal"))
    }

    /// The names that are known, and not erased.
    package func names(
        of principals: Set<PrincipalID>
    ) async throws(PostgresError) -> [PrincipalID: SaltedName] {
        let rows = try await database.query(
            """
            SELECT id, name, salt FROM directory.principal
            WHERE id = ANY(\(principals.map(\.text)))
            """
        )
        return try names(in: rows)
    }

    private func names(in rows: [Row]) throws(PostgresError) -> [PrincipalID: SaltedName] {
        var names: [PrincipalID: SaltedName] = [:]
        for row in rows {
            let (id, name, salt) = try row.decode((String, String, [UInt8]?).self)
            guard let principal = PrincipalID(id) else { continue }
            names[principal] = SaltedName(name, salt: salt)
        }
        return names
    }
}
