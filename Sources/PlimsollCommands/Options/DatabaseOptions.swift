import ArgumentParser
import PlimsollAPI
import PlimsollServer

/// Where the database is, for commands that work with it beside the service.
struct DatabaseOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The data directory (default: PLIMSOLL_DATA).", valueName: "path"))
    var data: String?
    @Option(help: "The database; better given as PLIMSOLL_DATABASE_URL.")
    var databaseURL: String?

    /// The data directory, if there is one here.
    var folder: String? { (data ?? variable("PLIMSOLL_DATA")).map(absolutePath) }

    /// Whether the database is that of a data directory, which the service starts itself.
    var isPrivate: Bool {
        databaseURL == nil && (data != nil || variable("PLIMSOLL_DATABASE_URL") == nil)
    }

    /// What is given counts before the environment, and a database before a folder.
    func database(for command: String) throws -> RunningDatabase {
        if let databaseURL { return RunningDatabase(url: databaseURL) }
        if let data { return RunningDatabase(data: absolutePath(data)) }
        if let url = variable("PLIMSOLL_DATABASE_URL") { return RunningDatabase(url: url) }
        if let folder { return RunningDatabase(data: folder) }
        throw Failure(
            .usage,
            "It is not known where the log is.",
            next: "\(command) --data, with the data directory"
        )
    }

    /// Lends the database to one who owns it; a private server is started for that.
    func withOwnDatabase<Answer: Sendable>(
        for command: String,
        _ body: @escaping @Sendable (RunningDatabase) async throws -> Answer
    ) async throws -> Answer {
        if isPrivate, let folder { return try await RunningDatabase.started(in: folder, body) }
        let migration = databaseURL == nil ? variable("PLIMSOLL_MIGRATION_URL") : nil
        return try await body(migration.map { RunningDatabase(url: $0) } ?? database(for: command))
    }

    private func variable(_ name: String) -> String? {
        environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}
