import ArgumentParser
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
