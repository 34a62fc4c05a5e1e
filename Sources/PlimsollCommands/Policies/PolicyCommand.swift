import ArgumentParser

/// `plimsoll policy`: who has to agree to what.
struct PolicyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy",
        abstract: "Show, compare and change who has to approve what.",
        discussion: "For example: plimsoll policy show harbour",
        subcommands: [
            ShowPolicyCommand.self, DiffPolicyCommand.self, ApplyPolicyCommand.self,
            ResetPolicyCommand.self,
        ]
    )
}
