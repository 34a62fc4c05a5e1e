import ArgumentParser
import PlimsollAPI
import PlimsollJSON
import PlimsollLog
import PlimsollWitness

/// `plimsoll witness`: sees to it that a log keeps to what it has signed.
struct WitnessCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "witness",
        abstract: "Watch a transparency log, cosign what extends it, and raise the alarm.",
        discussion: """
            Run it where nobody who runs the service can reach it. It keeps the last checkpoint it \
            has seen in --state, has each later one proven to extend it, cosigns that, and, with a \
            token of an auditor, brings its line to the service at PLIMSOLL_URL, which knows it by \
            --witness-key. A log that forks, shrinks or is rewritten ends it with status 8.

            The key is made if there is none; its public half lies in --state as the file key. \
            With --listen it also takes checkpoints at /add-checkpoint (C2SP tlog-witness).

            For example: plimsoll witness --log http://127.0.0.1:8081/distribution/log \
            --log-key log.vkey --key witness.key --state witness --once
            """
    )

    @Option(help: "The address that checkpoint and tiles lie under.")
    var log: String

    @Option(help: "The log's verifier key, or a file with it; from a source you trust.")
    var logKey: String

    @Option(help: "The file with the witness's private key; made where there is none.")
    var key: String

    @Option(help: "The folder to keep what was seen in.")
    var state: String

    @Option(help: "The name of a new key, such as witness.example.com.")
    var name: String?

    @Option(help: "How often to look.")
    var every = "60s"

    @Flag(help: "Look once and end.")
    var once = false

    @Option(help: "Where checkpoints are taken, such as 127.0.0.1:8090.")
    var listen: String?

    @OptionGroup var logging: LogOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let watching = try Watching(self)
        do {
            try await watching.withWitness { witness in
                try await Transport.with { transport in
                    let round = Round(try watching.log(over: transport), witness)
                    let post = try watching.posting(over: transport)
                    if once {
                        try await look(round, post, output)
                    } else {
                        try await watching.run(round, post)
                    }
                }
            }
            return .done
        } catch let alarm as WitnessAlarm {
            throw Failure(.verificationFailed, legible(alarm.description))
        } catch let failure as Failure {
            throw failure
        } catch let error as AdminError {
            throw error
        } catch {
            throw Failure(.failed, legible("\(watching.explained(error))"))
        }
    }

    private func look(_ round: Round, _ post: Posting?, _ output: Output) async throws {
        let cosigned = try await round.look()
        try await post?(cosigned)
        let (root, origin) = (cosigned.checkpoint.root, cosigned.checkpoint.origin)
        let json: JSONObject = [
            "origin": .string(origin.text), "size": .integer(Int64(root.size)),
            "root": .string(root.hash.description), "posted": .bool(post != nil),
            "witness": .string(round.witness.key.text),
        ]
        let line = "\(origin): \(root.size) events, root \(root.hash), cosigned"
        output.show(Report(json, [.check(passed: true, line)]))
    }
}
