import ArgumentParser

/// `plimsoll freeze`: nothing applies but rollbacks and emergencies.
struct FreezeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "freeze",
        abstract: "Stop changes from being applied, or allow them again.",
        discussion: "For example: plimsoll freeze on --reason \"Launch day\"",
        subcommands: [StartFreezeCommand.self, EndFreezeCommand.self]
    )
}
