import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// `plimsoll history`: the record, newest first.
struct HistoryCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show what happened, who did it, and why.",
        discussion: """
            Filters that are repeated mean either. --since and --until take 24h, yesterday, a date, a time or a position. \
            One --field with no other filter than --app shows every value that the field had, \
            with the author and the approvers of each; the app may be left out where there is one. \
            With --order oldest it shows the events that wrote it.

            Examples:
              plimsoll history --limit 10
              plimsoll history --type RolledBack --type ChangeApplied --since 2026-11-01T00:00:00Z
              plimsoll history --actor alice --all --json
              plimsoll history --field ios.minimumApp.value
              plimsoll history --change 42
              plimsoll history --format csv --order oldest --app harbour >harbour.csv
              plimsoll history --follow --app harbour
            """
    )

    @Flag(help: "Show what comes from now on, or --since then, until interrupted.")
    var follow = false
    @OptionGroup var filters: RecordOptions
    @OptionGroup var page: ListOptions
    @Option(help: "newest first without it, or oldest.")
    var order: EventFilter.Order?
    @OptionGroup var service: ServiceOptions
    @OptionGroup var forms: RecordOutput

    var output: OutputOptions { forms.usual }

    func validate() throws {
        guard follow else { return }
        if order != nil { throw ValidationError("--follow goes forward; leave out --order.") }
        if forms.form != nil {
            throw ValidationError("--follow is a table or JSON; leave out ndjson and csv.")
        }
        if filters.until != nil { throw ValidationError("--follow has no end; leave out --until.") }
        if page.all || page.limit != nil {
            throw ValidationError("--follow shows all that comes; leave out --all and --limit.")
        }
    }

    func execute(_ output: Output) async throws -> ExitStatus {
        try await service.withClient { client in
            let people = await People(client)
            var filter = try filters.filter(people)
            filter.order = order
            if let form = forms.form { return try await export(filter, as: form, client) }
            if let field = filters.onlyField, order != .oldest, !follow {
                return try await showHistory(of: field, client, people, output)
            }
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

    /// What comes is written as it comes; who does not get the last line has not got everything.
    private func export(
        _ filter: EventFilter,
        as form: RecordForm,
        _ client: AdminClient
    ) async throws -> ExitStatus {
        let limit = page.all ? nil : page.limit
        let isWhole = try await client.export(filter, as: form, limit: limit) { line in
            Channel.standardOutput.write([line])
        }
        guard isWhole else {
            throw Failure(
                .failed,
                "The record was cut short.",
                detail: "Its last line, which says how much there was, did not come.",
                next: "the same command again"
            )
        }
        return .done
    }

    private func showHistory(
        of field: Field,
        _ client: AdminClient,
        _ people: People,
        _ output: Output
    ) async throws -> ExitStatus {
        let app = try await AppOption(app: filters.app.first).resolve(client).slug
        var writes: [FieldHistoryAnswer.Write] = []
        let next = try await page.forEach { page in
            let part = try await client.history(of: field, in: app, page)
            writes += part.writes
            return (part.writes.count, part.next)
        }
        let answer = FieldHistoryAnswer(app: app, field: field, writes: writes, next: next)
        output.show(FieldHistory(answer, people).report)
        if next != nil { output.note("There are more; --all or a larger --limit shows them.") }
        return .done
    }

    private func report(_ events: [EventAnswer], _ next: String?, _ people: People) -> Report {
        let json: JSONObject = ["events": JSONValue(events), "next": JSONValue(next)]
        guard !events.isEmpty else { return Report(json, [.line("There is none.")]) }
        let heads = ["EVENT", "TIME", "WHO", "WHAT", "WHY"]
        let rows = events.map { event in
            [
                event.position.description, event.recordedAt.rfc3339,
                people.name(event.origin.actor), excerpt(people.naming(in: event.sentence)),
                excerpt(event.origin.reason ?? "", 40),
            ]
        }
        return Report(json, [.table(Table(heads, rows))])
    }
}
