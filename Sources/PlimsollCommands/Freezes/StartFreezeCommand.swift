import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// `plimsoll freeze on`: from now on only rollbacks and emergencies.
struct StartFreezeCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "on",
        abstract: "Stop changes from being applied; they can still be proposed and approved.",
        discussion: """
            Examples:
              plimsoll freeze on --reason "Launch day"
              plimsoll freeze on --all --reason "The stores are down"
            """
    )

    @OptionGroup var scope: FreezeOptions
    @Option(help: "Why; it is kept with the event.")
    var reason: String
    @OptionGroup var submission: SubmissionOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        guard let words = try PlimsollCommands.reason(reason) else { return .usage }
        return try await service.withClient { client in
            let app = try await scope.slug(client)
            let freeze = try await submission.write { options in
                try await client.freeze(app, FreezeForm(reason: words), options)
            }
            var json = freeze.json
            if submission.dryRun { json["dryRun"] = true }
            let name = freeze.app?.text ?? "Everything"
            let line = "\(name) is frozen since \(freeze.since): \(excerpt(words.text, 400))"
            output.show(Report(json, [.line(line)]))
            submission.note(output)
            return .done
        }
    }
}
