import ArgumentParser
import PlimsollAPI
import PlimsollJSON
import PlimsollServer

/// `plimsoll restore`: a backup in an empty database.
struct RestoreCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Fill an empty database from a backup.",
        discussion: """
            The backup is verified first, against checkpoints too that you kept elsewhere; then all \
            of it is written, or nothing. A database that has a log already is refused. The account \
            has to own the database: PLIMSOLL_MIGRATION_URL counts before PLIMSOLL_DATABASE_URL. \
            With a data directory alone, its private PostgreSQL is started for it, so the service \
            must not run. Names are read from the file beside the backup that has .names behind its \
            name; without it principals have none.

            For example: plimsoll restore /mnt/backups/plimsoll-2026-11-21.ndjson \
            --data /var/lib/plimsoll
            """
    )

    @Argument(help: "The file that plimsoll backup wrote.")
    var file: String
    @OptionGroup var place: DatabaseOptions
    @OptionGroup var outside: OutsideOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        switch try await outcome() {
        case .restored(let events, let root, let names):
            let json: JSONObject = [
                "events": .integer(Int64(events)), "root": .string(root),
                "names": .integer(Int64(names)),
            ]
            output.show(
                Report(
                    json,
                    [.check(passed: true, "\(events) events, \(names) names, root \(root)")]
                )
            )
            return .done
        case .broken(let position, let flaw):
            throw Failure(
                .verificationFailed,
                "The backup does not fit at event \(position). Nothing was restored.",
                detail: legible(flaw)
            )
        }
    }

    private func outcome() async throws -> LogRestoration.Outcome {
        let file = absolutePath(file)
        do {
            return try await outside.withOutside(checkingPublished: false) { outside, _ in
                try await place.withOwnDatabase(for: "plimsoll restore") { database in
                    try await LogRestoration(database).run(from: file, outside: outside)
                }
            }
        } catch let failure as BackupFailure {
            throw Failure(
                .failed,
                legible(failure.description),
                next: "plimsoll verify log --offline \(legible(file))"
            )
        }
    }
}

/// `plimsoll backup`: the log in a file.
struct BackupCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Write the whole log to a file.",
        discussion: """
            Every entry is a line, exactly as it is hashed; behind them stand the commands, the \
            checkpoints and a line that says how much there was. The names of principals go to a \
            file of their own, with .names behind its name: a name can be erased there without \
            touching the log. Private keys are in neither; see plimsoll keys copy. The service may \
            run meanwhile. A file that is there already is not written over.

            For example: plimsoll backup /mnt/backups/plimsoll-2026-11-21.ndjson \
            --data /var/lib/plimsoll
            """
    )

    @Argument(help: "The file to write.")
    var file: String
    @OptionGroup var place: DatabaseOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let outcome: LogBackup.Outcome
        do {
            let database = try place.database(for: "plimsoll backup")
            outcome = try await LogBackup(database).run(to: absolutePath(file))
        } catch let failure as BackupFailure {
            throw Failure(.failed, legible(failure.description), next: next(after: failure))
        }
        let json: JSONObject = [
            "events": .integer(Int64(outcome.events)), "root": .string(outcome.root),
            "names": .integer(Int64(outcome.names)), "namesFile": .string(outcome.namesFile),
        ]
        let lines: [Report.Block] = [
            .check(passed: true, "\(outcome.events) events, root \(outcome.root)"),
            .check(passed: true, "\(outcome.names) names in \(legible(outcome.namesFile))"),
        ]
        output.show(Report(json, lines))
        return .done
    }

    private func next(after failure: BackupFailure) -> String? {
        switch failure.cause {
        case .file: nil
        case .log: "plimsoll verify log"
        case .database where place.isPrivate:
            "plimsoll serve, which starts a private PostgreSQL; then plimsoll backup"
        case .database: "plimsoll doctor"
        }
    }
}
