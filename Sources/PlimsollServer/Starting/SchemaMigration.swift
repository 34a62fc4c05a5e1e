import PlimsollPostgres
import PlimsollStore

/// Makes a database ready for the service, which then needs no other login than its own.
package struct SchemaMigration: Sendable {
    private let connection: ConnectionString
    private let migration: ConnectionString

    /// Takes how the service logs in, and how the owner of the database does.
    package init(database: String, migration: String) {
        connection = ConnectionString(database)
        self.migration = ConnectionString(migration)
    }

    /// Answers the version that the schema has.
    package func run() async throws(SchemaMigrationFailure) -> Int {
        do {
            try await StoreSchema.prepare(connection, migratingWith: migration)
            return StoreSchema.migrations.count
        } catch {
            throw SchemaMigrationFailure(
                description: "The database at \(connection) is not ready: \(error)"
            )
        }
    }
}

/// The service cannot begin on the database.
package struct SchemaMigrationFailure: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String
}
