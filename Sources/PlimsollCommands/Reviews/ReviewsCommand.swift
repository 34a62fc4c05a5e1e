import ArgumentParser

/// `plimsoll reviews`: what was done in a hurry is looked at again.
struct ReviewsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reviews",
        abstract: "List the reviews of emergency actions, and close one.",
        discussion: "For example: plimsoll reviews --overdue",
        subcommands: [
            ListReviewsCommand.self, ShowReviewCommand.self, CloseReviewCommand.self,
        ],
        defaultSubcommand: ListReviewsCommand.self
    )
}
