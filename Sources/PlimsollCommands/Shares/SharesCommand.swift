import ArgumentParser

/// `plimsoll shares`: how many devices were counted with which versions.
struct SharesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shares",
        abstract: "Import, show or remove counts of devices by version.",
        discussion: "For example: plimsoll shares show ios",
        subcommands: [
            ImportSharesCommand.self, ShowSharesCommand.self, RemoveSharesCommand.self,
        ]
    )
}
