import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll revert`: one change is taken back, at once and by one person.
struct RevertCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "revert",
        abstract: "Undo one change, and nothing that came after it.",
        discussion: """
            Every field of the change goes back to what stood there before it. A field that others \
            wrote since is in conflict: it is named, and nothing happens until --keep says that it \
            stays as it is.

            Examples:
              plimsoll revert 17 --reason "3.2.0 never reached the store"
              plimsoll revert 17 --keep ios.minimumApp.title.en --reason "Too high" --yes --wait
              plimsoll revert 17 --reason "Which phones?" --dry-run --matrix
            """
    )

    @Argument(help: "The change.")
    var id: ChangeID
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "A field that stays as it is, such as ios.minimumApp.value; may be repeated.",
            valueName: "field"
        )
    )
    var keep: [Field] = []
    @OptionGroup var steps: RollbackSteps
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        guard let words = try PlimsollCommands.reason(steps.reason) else { return .usage }
        let form = RollbackForm(
            target: .revert(id),
            keep: keep.isEmpty ? nil : keep,
            reason: words
        )
        return try await steps.take(form, output, isNarrow: true) { [id] client in
            try await client.change(id).summary.app
        }
    }
}
