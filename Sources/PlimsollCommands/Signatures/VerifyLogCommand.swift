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
            published in the data directory has to agree with it. It writes nothing; the service \
            may run meanwhile. Keep the root it shows: the same number of events has the same \
            root for ever.

            For example: plimsoll verify log --data /var/lib/plimsoll
            """
    )

    @OptionGroup var place: DatabaseOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let finding: LogCheck.Finding
        do {
            let database = try place.database(for: "plimsoll verify log")
            finding = try await LogCheck(database, data: place.folder).run()
        } catch let failure as LogCheckFailure {
            throw Failure(
                .failed,
                legible(failure.description),
                detail: "The database has to run; plimsoll serve starts a private one.",
                next: "plimsoll doctor"
            )
        }
        switch finding {
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
}
