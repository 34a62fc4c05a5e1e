import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll keys activate`.
struct ActivateKeyCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "activate",
        abstract: "Start signing with a key, besides those that sign already.",
        discussion: """
            It is tried first: a key that cannot sign would keep everything from being published. \
            Phones that name no key go on with the key that was activated first. A key that was \
            retired too early can be activated again.

            Examples:
              plimsoll keys activate 3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07
              plimsoll keys activate 3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07 --dry-run
            """
    )

    @OptionGroup var turn: KeyTurnOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        try await turn.run(service, output) { client, seen, form, options in
            try await client.activateKey(turn.id, seen: seen, form, options)
        }
    }
}
