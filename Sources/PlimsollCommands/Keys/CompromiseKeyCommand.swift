import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll keys compromise`: nobody is to believe a key any more.
struct CompromiseKeyCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "compromise",
        abstract: "Stop using a stolen key at once; the other keys sign instead.",
        discussion: """
            For a key whose private half somebody else may have. Within a second nothing is served \
            that it has signed. Where it is the only key that signs, another has to be added and \
            activated first. An edge of its own goes on trusting the key until its --keys file \
            says otherwise: give it a new copy of export/keys.json.

            For example:
              plimsoll keys compromise 3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07 \\
                --reason "The backup was stolen" --yes
            """
    )

    @Argument(help: "The key's id.")
    var id: KeyID
    @Option(help: "Why; it is kept with the event.")
    var reason: String
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var submission: SubmissionOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        guard let words = try PlimsollCommands.reason(reason) else { return .usage }
        if !submission.dryRun {
            try confirmation.obtain("Compromise the key \(id)? It can never be used again.")
        }
        return try await service.withClient { client in
            let key = try await submission.write { options in
                try await client.compromiseKey(id, CompromiseForm(reason: words), options)
            }
            output.show(key.report(dryRun: submission.dryRun))
            output.note(
                submission.dryRun
                    ? "This was a rehearsal; nothing was written."
                    : "Edges of their own need a new copy of export/keys.json."
            )
            return .done
        }
    }
}
