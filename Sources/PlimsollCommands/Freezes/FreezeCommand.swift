import ArgumentParser

/// `plimsoll freeze`: nothing applies but rollbacks and emergencies.
struct FreezeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "freeze",
        abstract: "Stop changes from being applied, or allow them again.",
        discussion: """
            Examples:
              plimsoll freeze on --reason "Launch day"
              plimsoll freeze plan --from 2026-12-23T18:00 --until 2027-01-02T09:00 \\
                --zone Europe/London --reason "The holidays"
            """,
        subcommands: [
            StartFreezeCommand.self, EndFreezeCommand.self, PlanFreezeCommand.self,
            ShowFreezesCommand.self, CancelFreezeCommand.self,
        ]
    )
}
