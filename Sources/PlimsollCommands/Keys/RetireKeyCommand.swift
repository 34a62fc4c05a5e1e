import ArgumentParser
import PlimsollAPI
import PlimsollAdmin
import PlimsollDomain

/// `plimsoll keys retire`.
struct RetireKeyCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "retire",
        abstract: "Stop signing with a key.",
        discussion: """
            Phones that know only this key believe nothing new from then on. The last key of an \
            app cannot be retired.

            For example: plimsoll keys retire 3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07 --yes
            """
    )

    @OptionGroup var turn: KeyTurnOptions
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        if !turn.submission.dryRun {
            try confirmation.obtain(
                "Retire the key \(turn.id)? Phones that know no other believe nothing new."
            )
        }
        return try await turn.run(service, output) { client, seen, form, options in
            try await client.retireKey(turn.id, seen: seen, form, options)
        }
    }
}
