import ArgumentParser

/// `plimsoll release`: the versions that are known to exist.
struct ReleaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "release",
        abstract: "Register which app versions exist and what they need, or list them.",
        discussion: "For example: plimsoll release list --platform ios",
        subcommands: [
            ListReleasesCommand.self, AddReleaseCommand.self, AmendReleaseCommand.self,
            WithdrawReleaseCommand.self,
        ],
        defaultSubcommand: ListReleasesCommand.self,
        aliases: ["releases"]
    )
}
