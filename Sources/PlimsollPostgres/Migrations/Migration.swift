/// One step of the schema, applied once and never changed afterwards.
package struct Migration: Sendable {
    /// Counts from 1 without gaps.
    package let version: Int
    package let name: String
    /// The file's bytes, of which the database keeps the SHA-256.
    package let sql: [UInt8]

    package init(version: Int, name: String, sql: [UInt8]) {
        self.version = version
        self.name = name
        self.sql = sql
    }
}

/// Why the schema cannot be brought to where this program needs it.
package enum MigrationError: Error, Sendable {
    /// The database is from a newer program; an older one would not understand it.
    case newerSchema(database: Int, program: Int)
    /// The database is from an older program, and nobody asked to change it.
    case olderSchema(database: Int, program: Int)
    /// A migration that was applied is not the one this program has.
    case changed(version: Int, name: String)
    /// The database's migrations are not the first ones of this program's, in their order.
    case gap(version: Int)
    /// The program's own list is not 1, 2, 3, ….
    case unordered
    /// A migration failed and was rolled back; those before it stay.
    case failed(version: Int, name: String, PostgresError)
    case database(PostgresError)
}

extension MigrationError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .newerSchema(let database, let program):
            "the database's schema has version \(database) and this program knows \(program): "
                + "start a newer program, or restore an older backup"
        case .olderSchema(let database, let program):
            "the database's schema has version \(database) and this program knows \(program): start"
                + " plimsoll serve, which brings it up to date"
        case .changed(let version, let name):
            "migration \(version) (\(name)) was applied in another form than this program has: "
                + "applied migrations are never changed, add a new one"
        case .gap(let version):
            "migration \(version) is missing between those that were applied"
        case .unordered:
            "the program's migrations are not numbered 1, 2, 3, …"
        case .failed(let version, let name, let error):
            "migration \(version) (\(name)) failed: \(error)\(advice(error))"
        case .database(let error):
            "\(error)\(advice(error))"
        }
    }

    /// What whoever logged in with too few rights needs.
    private func advice(_ error: PostgresError) -> String {
        guard error.sqlState == "42501" else { return "" }
        return "; the login has too few rights for it: name one with PLIMSOLL_MIGRATION_URL that "
            + "owns the database and may create roles"
    }
}
