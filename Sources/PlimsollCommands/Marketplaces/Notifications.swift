import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll marketplace notifications`: what Apple told that nothing followed from yet.
struct NotificationsCommand: ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "notifications",
        abstract: "List the notifications from Apple that nothing followed from yet.",
        discussion: """
            Those about an app that no marketplace here lists wait until it is listed. Those that are \
            not understood stay in the record, and need somebody to read them.

            For example: plimsoll marketplace notifications
            """
    )

    @OptionGroup var common: CommonOptions

    func report(_ client: AdminClient, _ output: Output) async throws -> Report {
        let list = try await client.call(Endpoints.listNotifications, NoNames())
        return Report(list.json, list.blocks)
    }
}

/// `plimsoll marketplace drop-notifications`: what is about an app that nobody is going to list.
struct DropNotificationsCommand: FormCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop-notifications",
        abstract: "Let go of notifications that wait for an app to be listed.",
        discussion: """
            A thousand may wait; what Apple says of other apps that are not listed is taken again once \
            there is room. What was dropped stays in the record, and nothing follows from it: list the \
            app first where it is to be listed at all. An administrator of all apps does it.

            For example:
              plimsoll marketplace drop-notifications --marketplace 6497405838 \\
                --item 10737747186 \\
                --reason "It was never ours"
            """
    )

    @Option(help: "The AppleItemID of the marketplace.")
    var marketplace: AppleItemID
    @Option(help: "The AppleItemID of the app.")
    var item: AppleItemID
    @Option(help: "Why; it is kept with the event.")
    var reason: String
    @OptionGroup var writing: WritingOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let form = NotificationDropForm(
            marketplace: marketplace,
            item: item,
            reason: try Reason(written: reason)
        )
        let endpoint = Endpoints.dropNotifications
        return try await write(endpoint, { _ in NoNames() }, form, output) { _ in
            "Nothing waits any more for app \(item) to be listed in marketplace \(marketplace)."
        }
    }
}

extension NotificationList {
    fileprivate var blocks: [Report.Block] {
        let rows = [("waiting", waiting), ("unread", unread)].flatMap { state, list in
            list.map { ["\($0.position)", $0.recordedAt.description, state, excerpt($0.why, 100)] }
        }
        return Table(["EVENT", "RECORDED", "STATE", "WHAT"], rows).blocks(none: "None is kept.")
    }
}
