import ArgumentParser
import PlimsollDomain
import PlimsollJSON
import PlimsollServer

/// `plimsoll verify log`: whether the record is whole.
struct VerifyLogCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Recompute the whole log, and name the first event that does not fit.",
        discussion: """
            It reads the database itself, on the machine where that is: the one that \
            PLIMSOLL_DATABASE_URL names, else the private one of the data directory. What lies \
            published in the data directory has to agree with it, and so do the checkpoints that \
            you kept elsewhere. Every event has to be one that its actor was permitted to bring \
            about then. With --offline it reads a backup instead, and needs no database. It writes \
            nothing; the service may run meanwhile. Keep the root it shows: the same number of \
            events has the same root for ever.

            For example: plimsoll verify log --data /var/lib/plimsoll
            """
    )

    @OptionGroup var place: DatabaseOptions
    @OptionGroup var outside: OutsideOptions
    @Option(
        help: ArgumentHelp("A backup that is read instead of a database.", valueName: "file")
    )
    var offline: String?
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        switch try await finding() {
        case .sound(let events, let root):
            let json: JSONObject = [
                "verified": true, "events": .integer(Int64(events)), "root": .string(root),
            ]
            output.show(Report(json, [.check(passed: true, "\(events) events, root \(root)")]))
            return .done
        case .broken(let position, let flaw):
            throw Failure(
                .verificationFailed,
                "The log does not fit at event \(position).",
                detail: "\(flaw) Do not repair rows by hand.",
                next: "plimsoll history --since \(position) --until \(position)"
            )
        }
    }

    private func finding() async throws -> LogCheck.Finding {
        do {
            return try await outside.withOutside { outside in
                if let offline {
                    return try await BackupCheck(absolutePath(offline), outside: outside).run()
                }
                let database = try place.database(for: "plimsoll verify log")
                return try await LogCheck(database, data: place.folder, outside: outside).run()
            }
        } catch let failure as LogCheckFailure {
            throw Failure(
                .failed,
                legible(failure.description),
                detail: offline == nil
                    ? "The database has to run; plimsoll serve starts a private one." : nil,
                next: "plimsoll doctor"
            )
        }
    }
}
