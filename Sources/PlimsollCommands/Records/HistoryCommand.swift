import ArgumentParser
import PlimsollAPI
import PlimsollAdmin
import PlimsollDomain
import PlimsollJSON

/// `plimsoll history`: the record, newest first.
struct HistoryCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show what happened, who did it, and why.",
        discussion: """
            Filters that are repeated mean either. --since and --until take a time or a position.

            Examples:
              plimsoll history --limit 10
              plimsoll history --type RolledBack --type ChangeApplied --since 2026-11-01T00:00:00Z
              plimsoll history --actor alice --all --json
              plimsoll history --field ios.minimumApp.value --app harbour
              plimsoll history --change 42
              plimsoll history --follow --app harbour
            """
    )

    @Flag(help: "Show what comes from now on, or --since then, until interrupted.")
    var follow = false
    @OptionGroup var filters: RecordOptions
    @OptionGroup var page: ListOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard follow else { return }
        if filters.until != nil { throw ValidationError("--follow has no end; leave out --until.") }
        if page.all { throw ValidationError("--follow shows all; leave out --all.") }
    }

    func execute(_ output: Output) async throws -> ExitStatus {
        try await service.withClient { client in
            let people = await People(client)
            let filter = try filters.filter(people)
            if follow { return try await Following(client, filter, people, output).run() }
            var events: [EventAnswer] = []
            let next = try await page.forEach { page in
                let list = try await client.events(filter, page)
                events += list.events
                return (list.events.count, list.next)
            }
            output.show(report(events, next, people))
            if next != nil { output.note("There are more; --all or a larger --limit shows them.") }
            return .done
        }
    }

    private func report(_ events: [EventAnswer], _ next: String?, _ people: People) -> Report {
        let json: JSONObject = ["events": JSONValue(events), "next": JSONValue(next)]
        guard !events.isEmpty else { return Report(json, [.line("There is none.")]) }
        let heads = ["EVENT", "TIME", "WHO", "WHAT", "WHY"]
        let rows = events.map { event in
            [
                event.position.description, event.recordedAt.rfc3339,
                people.name(event.origin.actor), excerpt(event.sentence),
                excerpt(event.origin.reason ?? "", 40),
            ]
        }
        return Report(json, [.table(Table(heads, rows))])
    }
}
