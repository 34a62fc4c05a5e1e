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
              plimsoll changes --state scheduled
              plimsoll changes --at yesterday
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
            let areScheduled = changes.contains { $0.schedule != nil }
            let rows = changes.map { change in
                let times = areScheduled ? [change.times] : []
                return [change.id.description, change.stateInWords, people.name(change.author)]
                    + [change.proposedAt.rfc3339] + times + [excerpt(change.title.text)]
            }
            let heads =
                ["ID", "STATE", "AUTHOR", "PROPOSED"] + (areScheduled ? ["WHEN"] : []) + ["TITLE"]
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
    /// When it comes into force and ends, as the clocks of its zone show it.
    fileprivate var times: String {
        guard let schedule = schedule?.schedule,
            let clock = ZoneClock(schedule.timeZone) ?? ZoneClock(.utc)
        else { return "-" }
        return [
            schedule.at.map { clock.shown($0) }, schedule.until.map { "until \(clock.shown($0))" },
        ].compactMap(\.self).joined(separator: " ")
    }

    fileprivate var stateInWords: String {
        let remark = undoing.map { "undone by event \($0.position)" }
        return state.rawValue
            + ((remark ?? (isInConflict ? "in conflict" : nil)).map { " (\($0))" } ?? "")
    }
}
