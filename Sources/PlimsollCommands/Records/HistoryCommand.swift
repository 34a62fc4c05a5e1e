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
            """
    )

    @Option(parsing: .singleValue, help: "Only events of this type; may be repeated.")
    var type: [String] = []
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("Only what this principal did, by name or id.", valueName: "who")
    )
    var actor: [String] = []
    @Option(help: ArgumentHelp("From then on, that included.", valueName: "time or position"))
    var since: RecordBound?
    @Option(help: ArgumentHelp("Up to then, that included.", valueName: "time or position"))
    var until: RecordBound?
    @Option(parsing: .singleValue, help: "Only what concerns this app; may be repeated.")
    var app: [AppSlug] = []
    @OptionGroup var page: ListOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        for name in type where !EventBody.types.contains(name) {
            let names = EventBody.types.joined(separator: ", ")
            throw ValidationError("--type \(legible(name)) does not exist; there are \(names).")
        }
    }

    func execute(_ output: Output) async throws -> ExitStatus {
        try await service.withClient { client in
            let people = await People(client)
            let filter = try filter(people)
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

    private func filter(_ people: People) throws -> EventFilter {
        var filter = EventFilter()
        filter.apps = app
        filter.types = type
        filter.since = since?.bound
        filter.until = until?.bound
        for name in actor {
            let found = people.principals(named: name)
            guard !found.isEmpty else {
                throw Failure(
                    .failed,
                    "Nobody that you may know is called \"\(legible(name))\".",
                    next: "plimsoll token list"
                )
            }
            filter.actors += found
        }
        return filter
    }

    private func report(_ events: [EventAnswer], _ next: String?, _ people: People) -> Report {
        let json: JSONObject = ["events": JSONValue(events), "next": JSONValue(next)]
        guard !events.isEmpty else { return Report(json, [.line("There is none.")]) }
        let rows = events.map { event in
            [
                event.position.description, event.recordedAt.rfc3339,
                people.name(event.origin.actor), event.body.type, event.sentence,
                excerpt(event.origin.reason ?? "", 40),
            ]
        }
        let heads = ["EVENT", "TIME", "WHO", "TYPE", "WHAT", "WHY"]
        return Report(json, [.table(Table(heads, rows))])
    }
}

/// An end of a span of the record, as it is written on the command line.
struct RecordBound: ExpressibleByArgument {
    let bound: EventFilter.Bound

    init?(argument: String) {
        if let position = Position(argument: argument) {
            bound = .position(position)
        } else if let instant = Instant(rfc3339: argument) {
            bound = .time(instant)
        } else {
            return nil
        }
    }
}
