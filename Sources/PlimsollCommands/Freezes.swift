import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// `plimsoll freeze plan`: from a time on, until another, only rollbacks and emergencies.
struct PlanFreezeCommand: FormCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Plan a freeze ahead; it begins and ends by itself.",
        discussion: """
            Times have an offset, or are what clocks in --zone show, once. A change whose time falls \
            into the freeze is suspended then.

            Examples:
              plimsoll freeze plan --from 2027-05-28T18:00 --until 2027-06-01T09:00 \\
                --zone Europe/London --reason "The long weekend"
              plimsoll freeze plan --all --from 2027-05-29T00:00:00Z \\
                --until 2027-06-01T00:00:00Z --reason "Nobody is in" --dry-run
            """
    )

    @Option(help: ArgumentHelp("When it begins.", valueName: "time"))
    var from: WrittenTime
    @Option(help: ArgumentHelp("When it ends.", valueName: "time"))
    var until: WrittenTime
    @Option(
        name: [.customLong("time-zone"), .customLong("zone")],
        help: ArgumentHelp(
            "The time zone that the times are of and shown in, such as Europe/London.",
            valueName: "name"
        )
    )
    var timeZone: ZoneClock?
    @Option(help: "Why; it is kept with the event.")
    var reason: String
    @OptionGroup var scope: FreezeOptions
    @OptionGroup var writing: WritingOptions

    func validate() throws { _ = try window() }

    func execute(_ output: Output) async throws -> ExitStatus {
        let form = FreezePlanForm(window: try window(), reason: try Reason(written: reason))
        return try await submit(scope.slug, output) { client, app, options in
            try await client.call(
                Endpoints.planFreeze,
                app,
                else: Endpoints.planFreezeOfAll,
                NoNames(),
                form,
                options
            )
        } receipt: { plan, app, client in
            let line = plan.sentence(await output.people(client))
            output.show(Report(plan.json, [.line(line)], dryRun: submission.dryRun))
            let cancel = "plimsoll freeze cancel \(plan.plan.map(\.description) ?? "")"
            return "It is taken back with: \(cancel) \(app.map { "--app \($0)" } ?? "--all")"
        }
    }

    private func window() throws -> FreezeWindow {
        FreezeWindow(
            from: try from.instant(in: timeZone, "--from"),
            until: try until.instant(in: timeZone, "--until"),
            timeZone: timeZone?.name ?? .utc
        )
    }
}

/// `plimsoll freeze show`: what is frozen, and what will be.
struct ShowFreezesCommand: ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show what is frozen now, and what is planned to be.",
        discussion: """
            Examples:
              plimsoll freeze show
              plimsoll freeze list --all --json
            """,
        aliases: ["list"]
    )

    @OptionGroup var scope: FreezeOptions
    @OptionGroup var common: CommonOptions

    func report(_ client: AdminClient, _ output: Output) async throws -> Report {
        let freezes =
            if let app = try await scope.slug(client) {
                try await client.call(Endpoints.getFreeze, app)
            } else {
                try await client.call(Endpoints.getFreezeOfAll)
            }
        let people = await output.people(client)
        let blocks = Report.freezes(freezes.freeze, freezes.plans, people)
        let none = Report.Block.line("Nothing is frozen, and no freeze is planned.")
        return Report(freezes.json, blocks.isEmpty ? [none] : blocks)
    }
}

/// `plimsoll freeze cancel`: what was planned does not come.
struct CancelFreezeCommand: FormCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Take back a freeze that is planned, before it begins.",
        discussion: """
            It is named by the event that planned it: plimsoll freeze show. One that has begun is \
            ended with plimsoll freeze off.

            Examples:
              plimsoll freeze cancel 57
              plimsoll freeze cancel 57 --all --reason "The launch has moved"
            """
    )

    @Argument(help: ArgumentHelp("The event that planned it.", valueName: "position"))
    var plan: Position
    @Option(help: "Why; it is kept with the event.")
    var reason: String?
    @OptionGroup var scope: FreezeOptions
    @OptionGroup var writing: WritingOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let form = ReasonForm(reason: try Reason(written: reason))
        return try await submit(scope.slug, output) { client, app, options in
            try await client.call(
                Endpoints.cancelFreezePlan,
                app.map { AppPosition($0, plan) },
                else: Endpoints.cancelFreezePlanOfAll,
                plan,
                form,
                options
            )
        } receipt: { _, _, _ in
            "The freeze that event \(plan) planned will not come."
        }
    }
}

/// `plimsoll freeze off`: changes apply again.
struct EndFreezeCommand: FormCommand {
    static let configuration = CommandConfiguration(
        commandName: "off",
        abstract: "Allow changes to be applied again.",
        discussion: """
            What was approved meanwhile waits for plimsoll change apply.

            Examples:
              plimsoll freeze off
              plimsoll freeze off --all --reason "The stores are back"
            """
    )

    @OptionGroup var scope: FreezeOptions
    @Option(help: "Why; it is kept with the event.")
    var reason: String?
    @OptionGroup var writing: WritingOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let form = ReasonForm(reason: try Reason(written: reason))
        return try await submit(scope.slug, output) { client, app, options in
            try await client.call(
                Endpoints.thawApp,
                app,
                else: Endpoints.thawAll,
                NoNames(),
                form,
                options
            )
        } receipt: { _, app, client in
            "The freeze of \(app?.text ?? "everything") is over."
                + (await words(ofWhatStillFreezes: app, client))
        }
    }

    /// Whoever has just ended an app's own freeze would take everything's for ended too.
    private func words(ofWhatStillFreezes app: AppSlug?, _ client: AdminClient) async -> String {
        guard let app, !submission.dryRun,
            let freeze = try? await client.call(Endpoints.getFreeze, app).freeze, freeze.app == nil
        else { return "" }
        return " \(freeze.sentence(await People(client)))"
    }
}

extension FreezeAnswer {
    /// What is frozen, since when, by whom and why.
    func sentence(_ people: People) -> String {
        let name = app.map(\.text) ?? "Everything"
        let words = reason.map { ": \(excerpt($0.text, 400))" } ?? "."
        let end = until.map { " until \($0)" } ?? ""
        return "\(name) is frozen since \(since)\(end), by \(people.name(by))\(words)"
    }
}

extension FreezePlanAnswer {
    /// What will be frozen, or is, from when until when, by whom and why.
    func sentence(_ people: People) -> String {
        let name = app.map(\.text) ?? "Everything"
        let (from, until) = (
            window.timeZone.shown(window.from), window.timeZone.shown(window.until)
        )
        let words = reason.map { ": \(excerpt($0.text, 400))" } ?? "."
        let event = plan.map { " (planned by event \($0))" } ?? ""
        let state = liesAhead ? "will be frozen" : "is frozen"
        return "\(name) \(state) from \(from) until \(until)\(event), by"
            + " \(people.name(by))\(words)"
    }

    /// Whether it is not in force yet.
    var liesAhead: Bool { Instant.now < window.from }

    /// Whether the freeze that is in force is this one; another may be, beside it or before it.
    func isTold(by freeze: FreezeAnswer?) -> Bool {
        freeze?.app == app && freeze?.since == window.from && freeze?.until == window.until
    }
}

extension AppAnswer {
    /// The freeze, for whoever reads a table; JSON has it as a member.
    func freezeBlocks(_ people: People) -> [Report.Block] {
        Report.freezes(freeze, freezePlans, people)
    }

    var freezeJSON: JSONValue { freeze.map { .object($0.json) } ?? .null }
}

extension Report {
    /// What is frozen, and what will be.
    static func freezes(
        _ freeze: FreezeAnswer?,
        _ plans: [FreezePlanAnswer],
        _ people: People
    ) -> [Block] {
        ([freeze?.sentence(people)].compactMap(\.self)
            + plans.filter { !$0.isTold(by: freeze) }.map { $0.sentence(people) }).map(Block.line)
    }
}

/// `plimsoll freeze`: nothing applies but rollbacks and emergencies.
struct FreezeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "freeze",
        abstract: "Stop changes from being applied, or allow them again.",
        discussion: """
            Examples:
              plimsoll freeze on --reason "Launch day"
              plimsoll freeze plan --from 2027-05-28T18:00 --until 2027-06-01T09:00 \\
                --zone Europe/London --reason "The long weekend"
            """,
        subcommands: [
            StartFreezeCommand.self, EndFreezeCommand.self, PlanFreezeCommand.self,
            ShowFreezesCommand.self, CancelFreezeCommand.self,
        ]
    )
}

/// What is frozen: an app, or everything.
struct FreezeOptions: ParsableArguments {
    @Flag(help: "All apps.")
    var all = false
    @OptionGroup var app: AppOption

    func validate() throws {
        if all, app.app != nil { throw ValidationError("Say --all or --app, not both.") }
    }

    /// `nil` is every app.
    func slug(_ client: AdminClient) async throws -> AppSlug? {
        if all { return nil }
        return try await app.slug(client)
    }
}

/// `plimsoll freeze on`: from now on only rollbacks and emergencies.
struct StartFreezeCommand: FormCommand {
    static let configuration = CommandConfiguration(
        commandName: "on",
        abstract: "Stop changes from being applied; they can still be proposed and approved.",
        discussion: """
            Examples:
              plimsoll freeze on --reason "Launch day"
              plimsoll freeze on --all --reason "The stores are down"
            """
    )

    @OptionGroup var scope: FreezeOptions
    @Option(help: "Why; it is kept with the event.")
    var reason: String
    @OptionGroup var writing: WritingOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let form = MandatoryReasonForm(reason: try Reason(written: reason))
        return try await submit(scope.slug, output) { client, app, options in
            try await client.call(
                Endpoints.freezeApp,
                app,
                else: Endpoints.freezeAll,
                NoNames(),
                form,
                options
            )
        } receipt: { freeze, _, _ in
            let name = freeze.app?.text ?? "Everything"
            let line = "\(name) is frozen since \(freeze.since): \(excerpt(form.reason.text, 400))"
            output.show(Report(freeze.json, [.line(line)], dryRun: submission.dryRun))
            return nil
        }
    }
}
