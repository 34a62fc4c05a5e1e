import ArgumentParser
import PlimsollJSON
import PlimsollServer

/// `plimsoll migrate`: makes a database ready, so that the service has only a login of few rights.
struct MigrateCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Create or update the service's tables in a PostgreSQL of your own.",
        discussion: """
            Brings the schema to what this program works with, as the owner of the database, and \
            lets the login in that the service has: it may append to the log and read, and no more. \
            PLIMSOLL_MIGRATION_URL says how the owner logs in, PLIMSOLL_DATABASE_URL how the \
            service does. The service does the same at its start where it has both; run this \
            before it where it must not know how the owner logs in. It may be repeated.

            For example: plimsoll migrate
            """
    )

    @Option(help: "How the service logs in; better given as PLIMSOLL_DATABASE_URL.")
    var databaseURL: String?
    @Option(help: "How the owner of the database logs in; better as PLIMSOLL_MIGRATION_URL.")
    var migrationURL: String?
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let database = try address(databaseURL, "PLIMSOLL_DATABASE_URL")
        let migration = try address(migrationURL, "PLIMSOLL_MIGRATION_URL")
        let version: Int
        do {
            version = try await SchemaMigration(database: database, migration: migration).run()
        } catch {
            throw Failure(.failed, legible(error.description))
        }
        output.show(
            Report(
                ["schema": .integer(Int64(version))],
                [.check(passed: true, "the schema has version \(version)")]
            )
        )
        return .done
    }

    private func address(_ given: String?, _ variable: String) throws -> String {
        if let address = given ?? environment[variable], !address.isEmpty { return address }
        throw Failure(.usage, "\(variable) is needed, a libpq connection string or URI.")
    }
}
