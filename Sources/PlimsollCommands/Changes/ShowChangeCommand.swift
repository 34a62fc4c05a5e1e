import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// `plimsoll change show`: what it would do, word by word.
struct ShowChangeCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a change and its effect on what is live.",
        discussion: "For example: plimsoll change show 17"
    )

    @Argument(help: "The change's number.")
    var id: ChangeID
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        try await service.withClient { client in
            let change = try await client.change(id)
            let people = await output.people(client)
            let report = change.report(people)
            guard change.summary.state.isOpen else {
                output.show(report)
                return .done
            }
            let app = try await client.app(change.summary.app)
            var json = report.json
            json["freeze"] = app.freezeJSON
            output.show(Report(json, report.blocks + app.freezeBlocks(people)))
            return .done
        }
    }
}
