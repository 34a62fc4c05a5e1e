import ArgumentParser

/// `plimsoll reviews`: what was done in a hurry is looked at again.
struct ReviewsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reviews",
        abstract: "See what was done in a hurry, and say whether it was right.",
        discussion: "For example: plimsoll reviews --overdue",
        subcommands: [
            ListReviewsCommand.self, ShowReviewCommand.self, CloseReviewCommand.self,
        ],
        defaultSubcommand: ListReviewsCommand.self
    )
}
