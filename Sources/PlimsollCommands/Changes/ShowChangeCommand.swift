import ArgumentParser
import PlimsollAdmin
import PlimsollDomain

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
            output.show(change.report(await output.people(client)))
            return .done
        }
    }
}
