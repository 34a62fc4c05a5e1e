import ArgumentParser
import PlimsollAPI

/// `plimsoll marketplace forget-account`: what is kept of somebody is erased, by the service.
struct AskToForgetCommand: FormCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget-account",
        abstract: "Have the service erase which apps an account had.",
        discussion: """
            A service with a database remembers which apps it handed out to which account. This has it \
            erase them for good; that somebody asked for it is recorded, and not of whom. An account is \
            written as the tokens of devices write it, in the claim sub. An administrator of all apps \
            does it. plimsoll marketplace forget does the same without the service.

            For example: plimsoll marketplace forget-account --account 7f3c21 --yes
            """
    )

    @Option(help: "The account, as the tokens of devices call it.")
    var account: String
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var writing: WritingOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        guard !account.isEmpty else { throw Failure(.usage, "--account needs an account.") }
        try confirmation.obtain("Erase what is kept of the account, for good?", for: submission)
        let form = AccountForm(account: account)
        let endpoint = Endpoints.forgetAccount
        return try await write(endpoint, { _ in NoNames() }, form, output) { answer in
            Receipt([], "\(answer.apps ?? 0) apps of the account are forgotten.")
        }
    }
}
