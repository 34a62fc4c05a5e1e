import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// `plimsoll changes`: what was proposed and where it stands.
struct ChangesCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "changes",
        abstract: "List the changes of an app, newest first, or those that need you.",
        discussion: """
            With --needs-me, and no app named, those of all apps that you may see: which you could \
            approve, and your own that a reviewer wants otherwise, that are in conflict or suspended, \
            or that wait to be applied.

            Examples:
              plimsoll changes --needs-me
              plimsoll changes --state proposed
              plimsoll changes --limit 5 --json
              plimsoll changes --state scheduled
              plimsoll changes --at yesterday
            """
    )

    @Option(parsing: .singleValue, help: "Only changes in this state; may be repeated.")
    var state: [ChangeState] = []
    @Flag(help: "Only open changes that wait for something that you can do.")
    var needsMe = false
    @OptionGroup var moment: MomentOptions
    @OptionGroup var page: ListOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var app: AppOption
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if needsMe, !moment.isLive {
            throw ValidationError(
                "--needs-me is worked out for now only; leave out --at and --event."
            )
        }
    }

    func execute(_ output: Output) async throws -> ExitStatus {
        try await service.withClient { client in
            if needsMe, app.isOpen { return try await showWhatNeedsMe(client, output) }
            let app = try await app.resolve(client)
            var changes: [ChangeSummaryAnswer] = []
            let next = try await page.forEach { page in
                let list = try await client.changes(
                    of: app.slug,
                    in: state,
                    at: moment.moment,
                    needingMe: needsMe,
                    page
                )
                changes += list.changes
                return (list.changes.count, list.next)
            }
            let people = await output.people(client)
            let table = table(of: changes, people)
            var json: JSONObject = ["changes": JSONValue(changes), "next": JSONValue(next)]
            if moment.isLive { json["freeze"] = app.freezeJSON }
            let freeze = moment.isLive ? app.freezeBlocks(people) : []
            let blocks: [Report.Block] =
                changes.isEmpty ? [.line("There is none.")] : [.table(table)]
            output.show(Report(json, freeze + blocks))
            if next != nil { output.note("There are more; --all or a larger --limit shows them.") }
            return .done
        }
    }
}

extension ChangesCommand {
    /// Times are shown where one of them has any, and apps where there may be several.
    private func table(
        of changes: [ChangeSummaryAnswer],
        _ people: People,
        withApps: Bool = false
    ) -> Table {
        let areScheduled = changes.contains { $0.schedule != nil }
        let rows = changes.map { change in
            (withApps ? [change.app.text] : [])
                + [change.id.description, change.stateInWords, people.name(change.author)]
                + [change.proposedAt.rfc3339] + (areScheduled ? [change.times] : [])
                + [excerpt(change.title.text)]
        }
        let heads =
            (withApps ? ["APP"] : []) + ["ID", "STATE", "AUTHOR", "PROPOSED"]
            + (areScheduled ? ["WHEN"] : []) + ["TITLE"]
        return Table(heads, rows)
    }

    /// Of every app that the caller may see, the apps in the order of their slugs.
    private func showWhatNeedsMe(
        _ client: AdminClient,
        _ output: Output
    ) async throws -> ExitStatus {
        var changes: [ChangeSummaryAnswer] = []
        var areMore = false
        for app in try await client.call(Endpoints.listApps).apps {
            let next = try await page.forEach { page in
                let list = try await client.changes(
                    of: app.slug,
                    in: state,
                    needingMe: true,
                    page
                )
                changes += list.changes
                return (list.changes.count, list.next)
            }
            areMore = areMore || next != nil
        }
        let people = await output.people(client)
        let table = table(of: changes, people, withApps: true)
        let blocks: [Report.Block] =
            changes.isEmpty ? [.line("Nothing needs you.")] : [.table(table)]
        output.show(Report(["changes": JSONValue(changes), "next": .null], blocks))
        if areMore { output.note("There are more; --all or a larger --limit shows them.") }
        return .done
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

/// `plimsoll change show`: what it would do, word by word.
struct ShowChangeCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a change and its effect on what is live.",
        discussion: "For example: plimsoll change show 17"
    )

    @Argument(help: "The change's number.")
    var id: ChangeID
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        try await service.withClient { client in
            let change = try await client.call(Endpoints.getChange, id)
            let people = await output.people(client)
            let report = change.report(people)
            guard change.summary.state.isOpen else {
                output.show(report)
                return .done
            }
            let app = try await client.call(Endpoints.getApp, change.summary.app)
            var json = report.json
            json["freeze"] = app.freezeJSON
            output.show(Report(json, report.blocks + app.freezeBlocks(people)))
            return .done
        }
    }
}

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
