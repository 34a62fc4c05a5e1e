import ArgumentParser
import PlimsollAPI
import PlimsollAdmin
import PlimsollDomain
import PlimsollJSON

/// `plimsoll changes`: what was proposed and where it stands.
struct ChangesCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "changes",
        abstract: "List the changes of an app, newest first.",
        discussion: """
            Examples:
              plimsoll changes --state proposed
              plimsoll changes --limit 5 --json
              plimsoll changes --at 2026-11-01T00:00:00Z
            """
    )

    @Option(parsing: .singleValue, help: "Only changes in this state; may be repeated.")
    var state: [ChangeState] = []
    @OptionGroup var moment: MomentOptions
    @OptionGroup var page: ListOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var app: AppOption
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        try await service.withClient { client in
            let app = try await app.resolve(client)
            var changes: [ChangeSummaryAnswer] = []
            let next = try await page.forEach { page in
                let list = try await client.changes(
                    of: app.slug,
                    in: state,
                    at: moment.moment,
                    page
                )
                changes += list.changes
                return (list.changes.count, list.next)
            }
            let people = await output.people(client)
            let rows = changes.map { change in
                [
                    change.id.description,
                    change.stateInWords,
                    people.name(change.author),
                    change.proposedAt.rfc3339, excerpt(change.title.text),
                ]
            }
            let heads = ["ID", "STATE", "AUTHOR", "PROPOSED", "TITLE"]
            var json: JSONObject = ["changes": JSONValue(changes), "next": JSONValue(next)]
            if moment.isLive { json["freeze"] = app.freezeJSON }
            let freeze = moment.isLive ? app.freezeBlocks(people) : []
            let blocks: [Report.Block] =
                changes.isEmpty ? [.line("There is none.")] : [.table(Table(heads, rows))]
            output.show(Report(json, freeze + blocks))
            if next != nil { output.note("There are more; --all or a larger --limit shows them.") }
            return .done
        }
    }
}

extension ChangeSummaryAnswer {
    fileprivate var stateInWords: String {
        let remark = undoing.map { "undone by event \($0.position)" }
        return state.rawValue
            + ((remark ?? (isInConflict ? "in conflict" : nil)).map { " (\($0))" } ?? "")
    }
}
