import ArgumentParser
import PlimsollAPI
import PlimsollDocuments
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
              plimsoll changes --author alice --platform ios
              plimsoll changes --at yesterday
            """
    )

    @Option(parsing: .singleValue, help: "Only changes in this state; may be repeated.")
    var state: [ChangeState] = []
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("Only what this principal proposed, by name or id.", valueName: "who")
    )
    var author: [String] = []
    @Option(parsing: .singleValue, help: "Only what writes a field of this platform.")
    var platform: [Platform] = []
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
            let authors = try await authors(client)
            if needsMe, app.isOpen { return try await showWhatNeedsMe(client, authors, output) }
            let app = try await app.resolve(client)
            let (changes, next) = try await page.collect { page in
                let list = try await client.changes(
                    of: app.slug,
                    in: state,
                    by: authors,
                    on: platform,
                    at: moment.moment,
                    needingMe: needsMe,
                    page
                )
                return (list.changes, list.next)
            }
            let people = await output.people(client)
            let table = table(of: changes, people)
            var json: JSONObject = ["changes": JSONValue(changes), "next": JSONValue(next)]
            if moment.isLive { json["freeze"] = app.freezeJSON }
            let freeze = moment.isLive ? app.freezeBlocks(people) : []
            output.show(Report(json, freeze + table.blocks()))
            output.noteMore(next)
            return .done
        }
    }
}

extension ChangesCommand {
    private func authors(_ client: AdminClient) async throws -> [PrincipalID] {
        author.isEmpty ? [] : try await People(client).principals(named: author)
    }

    /// Times are shown where one of them has any, and apps where there may be several.
    private func table(
        of changes: [ChangeSummary],
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

    /// Of every app that the caller may see, the newest first.
    private func showWhatNeedsMe(
        _ client: AdminClient,
        _ authors: [PrincipalID],
        _ output: Output
    ) async throws -> ExitStatus {
        var changes: [ChangeSummary] = []
        var areMore = false
        for app in try await client.call(Endpoints.listApps).apps {
            let part = try await page.collect { page in
                let list = try await client.changes(
                    of: app.slug,
                    in: state,
                    by: authors,
                    on: platform,
                    needingMe: true,
                    page
                )
                return (list.changes, list.next)
            }
            changes += part.elements
            areMore = areMore || part.next != nil
        }
        changes.sort { $0.proposedAt > $1.proposedAt }
        let shown = Array(changes.prefix(page.most))
        let people = await output.people(client)
        let table = table(of: shown, people, withApps: true)
        let blocks = table.blocks(none: "Nothing needs you.")
        output.show(Report(["changes": JSONValue(shown), "next": .null], blocks))
        if areMore || shown.count < changes.count { output.noteMore() }
        return .done
    }
}

extension ChangeSummary {
    /// When it comes into force and ends, as the clocks of its zone show it.
    fileprivate var times: String {
        guard let schedule,
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
struct ShowChangeCommand: CommonCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a change and its effect on what is live.",
        discussion: "For example: plimsoll change show 17"
    )

    @Argument(help: "The change's number.")
    var id: ChangeID
    @OptionGroup var common: CommonOptions

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

extension ChangeAnswer {
    /// The change with every word of its effect.
    func report(_ people: People, dryRun: Bool = false) -> Report {
        Report(json, blocks(people), dryRun: dryRun)
    }

    func blocks(_ people: People) -> [Report.Block] {
        var lines = [
            "Change \(summary.id) for \(summary.app): \(legible(summary.title.text))",
            "state     \(summary.state.rawValue)",
            "author    \(people.name(summary.author)), \(summary.proposedAt)",
            "based on  event \(summary.base)",
        ]
        if let reason { lines.append("reason    \(excerpt(reason.text, 400))") }
        if let source = origin.source { lines.append("source    \(excerpt(source.text, 200))") }
        if let id = origin.supersededBy {
            lines.append("superseded by change \(id), from the same source")
        }
        if let digest { lines.append("digest    \(digest)") }
        lines += outcome.remarks.map { $0.line(people) }
        lines += outcome.approvals.map { "approved  \($0.line(people, counted))" }
        lines += counted.map { count in
            "counted   \(count.platform.name) devices by event \(count.position), by"
                + " \(people.name(count.by)), \(count.at)"
        }
        lines += summary.schedule?.lines ?? []
        if let suspension = summary.suspension {
            lines.append("suspended \(suspension.sentence) \(suspension.remedy)")
        }
        lines += course.lines(people)
        let verb = summary.state == .applied ? "overtakes" : "overtakes once applied"
        lines += overtaken.map { "\(verb) change \($0), which waits for its time: a conflict" }
        if let undoing = summary.undoing { lines.append("undone    \(undoing.line(people))") }
        if let rejection = outcome.rejection { lines.append("rejected  \(rejection.line(people))") }
        lines.append("")
        return lines.map(Report.Block.line)
            + (effect.isEmpty ? [.line(withoutEffect)] : effect.blocks)
            + conflicts.flatMap { $0.lines(of: summary.id, people) }.map(Report.Block.line)
            + blocked.blocks + checks.blocks(people) + notes.blocks
    }

    private var withoutEffect: String {
        conflicts.isEmpty
            ? "It changes nothing against what is live."
            : "Its edits do not fit what is live any more."
    }
}

extension [PrinceOfVersionsAnswer.Note] {
    /// What there is to know of what clients of Prince of Versions are told.
    var blocks: [Report.Block] {
        guard !isEmpty else { return [] }
        return [.line(""), .line("Clients of Prince of Versions:")]
            + map { .line("note      \($0.platform.name): \(legible($0.detail))") }
    }
}

extension FieldConflict {
    fileprivate func lines(of change: ChangeID, _ people: People) -> [String] {
        let reason = write.reason.map { ": \(excerpt($0.text, 400))" } ?? "."
        let cause = cause.map { " in change \($0)" } ?? ""
        return [
            "",
            "conflict  \(field.name) was \(words(base)) when this was based, and is \(words(live))"
                + " since event \(write.position), by \(people.name(write.actor))\(cause)\(reason)",
            "          plimsoll change revise \(change) --mine \(field.path), or --theirs \(field.path)",
        ]
    }

    private func words(_ value: FieldValue?) -> String {
        value.map { excerpt($0.description, 60) } ?? "not set"
    }
}

extension ChangeOutcome.Remark {
    fileprivate func line(_ people: People) -> String {
        let what =
            switch kind {
            case .comment: "comment  "
            case .changesRequested: "wanted   "
            case .revised: "revised  "
            case .scheduled: "scheduled"
            case .overridden: "overrode "
            }
        return "\(what) by \(people.name(by)), \(at)" + (check.map { ", \($0.rawValue)" } ?? "")
            + (text.map { ": \(excerpt($0.text, 400))" } ?? "")
    }
}

extension ChangeOutcome.Approval {
    fileprivate func line(_ people: People, _ counts: [CountAnswer]) -> String {
        let moved = counts.filter { $0.position != counted[$0.platform] ?? .start }
        return verdict.line(people)
            + (signature.map { " (signed with \($0.key.fingerprint))" } ?? "")
            + moved.map { count in
                " (\(count.platform.name) devices were counted anew since, by \(people.name(count.by)))"
            }.joined()
            + (void.map { " (does not count: \(excerpt($0.sentence(naming: people.name), 400)))" }
                ?? "")
    }
}

extension ChangeCourse {
    fileprivate func lines(_ people: People) -> [String] {
        var lines: [String] = []
        if let term { lines.append(term.line) }
        if let freezeAtTime {
            lines.append(
                "frozen    its time falls into the freeze that event"
                    + " \(freezeAtTime.plan.map(\.description) ?? "?") planned, until"
                    + " \(freezeAtTime.window.timeZone.shown(freezeAtTime.window.until)):"
                    + " it will be suspended then"
            )
        }
        lines += endsBefore.map {
            "conflict  change \($0) ends before its time and takes back what it was made on: it will be"
                + " suspended then"
        }
        return lines + missing.map { "needs     \($0.line(people))" }
            + missingAtTime.map { "will need \($0.line(people)): approvals end before its time" }
    }
}

extension Schedule {
    /// When the change comes into force, as people read it.
    var start: String? { at.map { timeZone.shown($0) } }

    fileprivate var lines: [String] {
        let from = start.map { "from      \($0)" }
        let until = until.map {
            "until     \(timeZone.shown($0)), then back to what was before"
        }
        return [from, until].compactMap(\.self)
    }
}

extension TimeZoneName {
    /// As people read it, with the weekday, and in UTC: `Tue 2026-12-01 09:00 Europe/London
    /// (2026-12-01T09:00:00.000Z)`; in UTC alone where this machine does not know the zone.
    func shown(_ instant: Instant) -> String {
        (ZoneClock(self) ?? ZoneClock(.utc)).map { "\($0.shown(instant)) (\(instant))" }
            ?? instant.rfc3339
    }
}

extension ChangeTerm {
    fileprivate var line: String {
        switch state {
        case .running: "term      applied by event \(applied), ends by itself"
        case .ended:
            "term      applied by event \(applied), ended by event \(ended ?? applied)"
                + (endedAt.map { ", \($0)" } ?? "")
        case .undone:
            "term      applied by event \(applied), undone by a rollback: it ends by itself no more"
        }
    }
}

extension MissingAnswer {
    fileprivate func line(_ people: People) -> String {
        let names = couldGive.map { $0.name.map { excerpt($0, 24) } ?? people.name($0.id) }
        guard let last = names.last else {
            return missing.line(people)
                + ": nobody could give it; let somebody in who owes those who made it nothing"
        }
        let others = names.dropLast()
        let who = others.isEmpty ? last : "\(others.joined(separator: ", ")) or \(last)"
        return missing.line(people) + ": \(who) could give it"
    }
}

extension MissingApproval {
    fileprivate func line(_ people: People) -> String {
        let names = requirement.people.map(people.name).joined(separator: ", ")
        let approvers = names.isEmpty ? "" : " of \(names)"
        return "\(requirement.count) approval\(requirement.count == 1 ? "" : "s")\(approvers)"
            + " in the role \(requirement.role.rawValue), has \(have)"
            + " (rule \(kind.rawValue))"
    }
}

extension Undoing {
    fileprivate func line(_ people: People) -> String {
        "by event \(position), a rollback by \(people.name(actor)), \(at)"
            + (reason.map { ": \(excerpt($0.text, 400))" } ?? "")
    }
}

extension ChangeOutcome.Verdict {
    fileprivate func line(_ people: People) -> String {
        "by \(people.name(by)), \(at)" + (comment.map { ": \(excerpt($0.text, 400))" } ?? "")
    }
}
