import ArgumentParser

/// `plimsoll change`: one change.
struct ChangeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change",
        abstract: "Show a change, or approve, reject, revise or schedule it.",
        discussion: "For example: plimsoll change show 17",
        subcommands: [
            ShowChangeCommand.self, ApproveCommand.self, RequestChangesCommand.self,
            CommentCommand.self, ReviseCommand.self, ScheduleCommand.self, OverrideCommand.self,
            ApplyCommand.self,
            RejectCommand.self, WithdrawCommand.self,
        ]
    )
}
