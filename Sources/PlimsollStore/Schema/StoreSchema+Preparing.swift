package import PlimsollPostgres

extension StoreSchema {
    /// Brings a database to the shape this program expects, and sees that the server is safe.
    ///
    /// Works with the account that connects, which has to own the database; the service itself
    /// takes the role ``serviceRole``.
    package static func prepare(_ connection: ConnectionString) async throws {
        let session = try await Session.open(connection)
        do {
            try await ServerSafety.check(session)
            try await session.migrate(numbered)
            await session.close()
        } catch {
            await session.close()
            throw error
        }
    }

    /// Refuses a database of an older or a newer program; changes nothing.
    package static func require(_ connection: ConnectionString) async throws {
        let session = try await Session.open(connection)
        do {
            try await session.requireMigrated(numbered)
            await session.close()
        } catch {
            await session.close()
            throw error
        }
    }

    private static var numbered: [Migration] {
        migrations.enumerated().map { index, migration in
            Migration(version: index + 1, name: migration.name, sql: migration.sql)
        }
    }
}
