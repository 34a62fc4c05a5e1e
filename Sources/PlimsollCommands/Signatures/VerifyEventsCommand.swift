import ArgumentParser
import PlimsollAPI
import PlimsollJSON
import PlimsollLog
import PlimsollServer

/// `plimsoll verify events`: a record that was written out, offline.
struct VerifyEventsCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "Check a record that was written out, and name the first line that does not fit.",
        discussion: """
            It needs the file and the log's verifier key, and no database: every line has to say \
            what its entry says, every event has to be one that its actor was permitted to bring \
            about then, and all entries have to make the root that was signed in the checkpoint \
            that the file ends with, and in those that you kept elsewhere. Events that came \
            behind the last checkpoint are claimed and not proven: ask for the record again when \
            the next one is published, which takes seconds.

            For example:
              plimsoll history --format ndjson --order oldest --entries >record.ndjson
              plimsoll verify events record.ndjson --log-key log.key
            """
    )

    @Argument(help: "The file, whole and with its last line.")
    var file: String
    @Flag(help: "Take events that no checkpoint covers for what the file says they are.")
    var allowUncovered = false
    @OptionGroup var outside: OutsideOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        switch try await finding() {
        case .sound(let events, let root, let covered):
            try show(events, root, covered: covered ?? 0, output)
            return .done
        case .broken(let line, let sentence):
            let json: JSONObject = [
                "verified": false, "line": .integer(Int64(line)), "flaw": .string(sentence),
            ]
            output.show(Report(json, []))
            throw Failure(
                .verificationFailed,
                "The record does not fit at line \(line).",
                detail: legible(sentence)
            )
        }
    }

    /// Anybody could have written events that no checkpoint covers.
    private func show(_ events: Int, _ root: String, covered: Int, _ output: Output) throws {
        let isAccepted = covered == events || allowUncovered
        let json: JSONObject = [
            "verified": .bool(isAccepted), "events": .integer(Int64(events)),
            "root": .string(root), "covered": .integer(Int64(covered)),
        ]
        let rest = "events \(covered + 1) to \(events)"
        var blocks: [Report.Block] = []
        if isAccepted {
            blocks.append(.check(passed: true, "\(events) events, root \(root)"))
            if covered > 0 {
                let line = "the log signed a checkpoint over the first \(covered) of them"
                blocks.append(.check(passed: true, line))
            }
            if covered < events { blocks.append(.unchecked("\(rest), which nothing covers")) }
            blocks.append(.unchecked("authenticators, which the service's secret alone can make"))
            let implied = "app, change, fields, differences and sentence, which entries only imply"
            blocks.append(.unchecked(implied))
        }
        output.show(Report(json, blocks))
        guard !isAccepted else { return }
        throw Failure(
            .verificationFailed,
            "No checkpoint covers \(rest).",
            detail: "Anybody could have written them. Ask for the record again when the next"
                + " checkpoint is published, or say --allow-uncovered."
        )
    }

    private func finding() async throws -> RecordCheck.Finding {
        do {
            return try await outside.withOutside(checkingPublished: true) { outside, key in
                guard let key else {
                    throw ValidationError("It can only be checked with the log's key: --log-key.")
                }
                let check = RecordCheck(absolutePath(file), outside: outside, key: key)
                return try await check.run()
            }
        } catch let failure as LogCheckFailure {
            throw Failure(.failed, legible(failure.description))
        }
    }
}
