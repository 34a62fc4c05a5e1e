import ArgumentParser
import PlimsollAPI
import PlimsollJSON
import PlimsollServer

/// `plimsoll rebuild`: lists and histories are made anew from the log.
struct RebuildCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "rebuild",
        abstract: "Rebuild the read models from the event log.",
        discussion: """
            Lists, histories and effects are read from tables that can be made from the log at any \
            time. This makes them beside the ones in use, compares, and switches over; the log is \
            only read. It works on the database itself, on the machine where that is: the one that \
            PLIMSOLL_DATABASE_URL names, else the private one of the data directory. The service \
            may run meanwhile. Where the old ones said something else, the exit code is 3.

            For example: plimsoll rebuild --data /var/lib/plimsoll
            """
    )

    @OptionGroup var place: DatabaseOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let outcome: ReadModelRebuild.Outcome
        do {
            outcome = try await ReadModelRebuild(place.database(for: "plimsoll rebuild")).run()
        } catch let failure as ReadModelRebuildFailure {
            throw Failure(
                .failed,
                legible(failure.description),
                detail: "The database has to run; plimsoll serve starts a private one.",
                next: "plimsoll verify log"
            )
        }
        let json: JSONObject = [
            "events": .integer(Int64(outcome.events)), "unchanged": .bool(outcome.isUnchanged),
        ]
        let words = outcome.isUnchanged ? "the same as before" : "they said something else before"
        output.show(
            Report(
                json,
                [.check(passed: outcome.isUnchanged, "\(outcome.events) events, \(words)")]
            )
        )
        return outcome.isUnchanged ? .done : .differs
    }
}
