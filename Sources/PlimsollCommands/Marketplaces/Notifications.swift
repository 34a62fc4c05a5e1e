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

    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func report(_ client: AdminClient, _ output: Output) async throws -> Report {
        let list = try await client.call(Endpoints.listNotifications, NoNames())
        return Report(list.json, list.blocks)
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
