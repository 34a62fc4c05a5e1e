import ArgumentParser

/// `plimsoll freeze`: nothing applies but rollbacks and emergencies.
struct FreezeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "freeze",
        abstract: "Keep changes from applying, or let them again.",
        discussion: "For example: plimsoll freeze on --reason \"Launch day\"",
        subcommands: [StartFreezeCommand.self, EndFreezeCommand.self]
    )
}
