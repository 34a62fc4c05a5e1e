import ArgumentParser
import Foundation
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
              plimsoll history --type RolledBack --type ChangeApplied \\
                --since 2026-11-01T00:00:00Z
              plimsoll history --actor alice --all --json
              plimsoll history --field ios.minimumApp.value
              plimsoll history --change 42
              plimsoll history --format csv --order oldest --app harbour >harbour.csv
              plimsoll history --format ndjson --order oldest --entries >record.ndjson
              plimsoll history --follow --app harbour
            """
    )

    @Flag(help: "Show what comes from now on, or --since then, until interrupted.")
    var follow = false
    @OptionGroup var filters: RecordOptions
    @OptionGroup var page: ListOptions
    @Option(help: "newest first without it, or oldest.")
    var order: EventFilter.Order?
    @Flag(
        help: """
            With each line its entry, for plimsoll verify events; needs --format ndjson and the role \
            auditor of all apps.
            """
    )
    var entries = false
    @OptionGroup var service: ServiceOptions
    @OptionGroup var forms: RecordOutput

    var output: OutputOptions { forms.usual }

    func validate() throws {
        if entries, forms.form != .ndjson {
            throw ValidationError("--entries is for lines; it needs --format ndjson.")
        }
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
            if entries { filter.addition = .entries }
            if let form = forms.form { return try await export(filter, as: form, client) }
            if let field = filters.onlyField, order != .oldest, !follow {
                return try await showHistory(of: field, client, people, output)
            }
            if follow { return try await Following(client, filter, people, output).run() }
            let (events, next) = try await page.collect { page in
                let list = try await client.events(filter, page)
                return (list.events, list.next)
            }
            output.show(report(events, next, people))
            output.noteMore(next)
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
        let isWhole: Bool
        do throws(AdminError) {
            isWhole = try await client.export(filter, as: form, limit: limit) {
                line throws(AdminError) in
                Channel.standardOutput.write([line])
                try AdminError.endWithoutReader()
            }
        } catch  where Channel.outputLoss != nil {
            return .done
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
        let (writes, next) = try await page.collect { page in
            let part = try await client.history(of: field, in: app, page)
            return (part.writes, part.next)
        }
        let answer = FieldHistoryAnswer(app: app, field: field, writes: writes, next: next)
        output.show(answer.report(people))
        output.noteMore(next)
        return .done
    }

    private func report(_ events: [EventAnswer], _ next: String?, _ people: People) -> Report {
        let json: JSONObject = ["events": JSONValue(events), "next": JSONValue(next)]
        let heads = ["EVENT", "TIME", "WHO", "WHAT", "WHY"]
        let rows = events.map { event in
            [
                event.position.description, event.recordedAt.rfc3339,
                people.name(event.origin.actor), excerpt(people.naming(in: event.sentence)),
                excerpt(event.origin.reason ?? "", 40),
            ]
        }
        return Report(json, Table(heads, rows).blocks())
    }
}

extension FieldHistoryAnswer {
    /// Every value that a field had, as people read it.
    fileprivate func report(_ people: People) -> Report {
        let heading = Report.Block.line("\(app): \(field.name)")
        guard !writes.isEmpty else {
            return Report(json, [heading, .line("Nothing was ever written there.")])
        }
        let heads = ["EVENT", "TIME", "BEFORE", "AFTER", "WHO", "APPROVED", "CHANGE", "WHY"]
        return Report(json, [heading, .table(Table(heads, writes.map { $0.row(people) }))])
    }
}

extension FieldHistoryAnswer.Write {
    fileprivate func row(_ people: People) -> [String] {
        [
            event.description, recordedAt.rfc3339,
            excerpt(change.before?.description ?? "unset", 30),
            excerpt(change.after?.description ?? "unset", 30),
            people.name(origin.author),
            origin.approval(people),
            origin.change?.description ?? "", excerpt(origin.reason ?? "", 40),
        ]
    }
}

/// Shows the record as it grows, and goes on where it stopped when the connection breaks.
struct Following {
    private let client: AdminClient
    private let filter: EventFilter
    private let people: People
    private let output: Output

    private static let pause = Duration.seconds(1)

    init(_ client: AdminClient, _ filter: EventFilter, _ people: People, _ output: Output) {
        (self.client, self.filter, self.people, self.output) = (client, filter, people, output)
    }

    /// Runs until it is interrupted, or until the service refuses.
    func run() async throws -> ExitStatus {
        var place: Position?
        while !Task.isCancelled {
            do throws(AdminError) {
                try await client.follow(filter, after: place) { message throws(AdminError) in
                    place = message.position
                    if let event = message.event { show(event) }
                    try AdminError.endWithoutReader()
                }
            } catch {
                if Channel.outputLoss != nil { return .done }
                guard error.mayPass else { throw error }
                output.note("\(legible(error.description)) Going on in a moment.")
            }
            try await Task.sleep(for: Self.pause)
        }
        return .done
    }

    private func show(_ event: EventAnswer) {
        let reason = event.origin.reason.map { "  (\(excerpt($0, 40)))" } ?? ""
        let line =
            "\(event.position)  \(event.recordedAt.rfc3339)  \(people.name(event.origin.actor))  "
            + legible(people.naming(in: event.sentence)) + reason
        output.show(Report(event.json, [.line(line)]))
    }
}

extension AdminError {
    /// Gives up what is asked for a reader who cannot be reached any more.
    fileprivate static func endWithoutReader() throws(AdminError) {
        if Channel.outputLoss != nil { throw AdminError(.cancelled, url: "") }
    }

    /// Whether the same may go well in a moment.
    fileprivate var mayPass: Bool {
        switch kind {
        case .unreachable, .interrupted, .timedOut: true
        case .refused(let problem): [429, 503].contains(problem.status)
        // A proxy whose service is away.
        case .notUnderstood(let status, _): (502...504).contains(status)
        case .answerTooLarge, .cancelled: false
        }
    }
}

/// Which events of the record.
struct RecordOptions: ParsableArguments {
    @Option(parsing: .singleValue, help: "Only events of this type; may be repeated.")
    var type: [String] = []
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("Only what this principal did, by name or id.", valueName: "who")
    )
    var actor: [String] = []
    @Option(
        help: ArgumentHelp(
            "From then on, that included: 24h, yesterday, a date, a time or a position.",
            valueName: "moment"
        ),
        transform: RecordBound.init(beginning:)
    )
    var since: RecordBound?
    @Option(
        help: ArgumentHelp("Up to then, that included; a day to its end.", valueName: "moment"),
        transform: RecordBound.init(end:)
    )
    var until: RecordBound?
    @Option(
        parsing: .singleValue,
        help: "Only what concerns this app (default: PLIMSOLL_APP); may be repeated."
    )
    var app: [AppSlug] = []
    @Flag(help: "What concerns any app or none, whatever PLIMSOLL_APP says.")
    var allApps = false
    @Option(parsing: .singleValue, help: "Only what wrote a field of this platform.")
    var platform: [Platform] = []
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("Only what wrote this field.", valueName: "ios.minimumApp.value")
    )
    var field: [Field] = []
    @Option(parsing: .singleValue, help: "Only what belongs to this change.")
    var change: [ChangeID] = []
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("Only what was done in one action.", valueName: "uuid")
    )
    var correlation: [Correlation] = []
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("Only what has these words in its reason.", valueName: "words")
    )
    var reason: [String] = []

    /// The field, where nothing but one field of one app is asked for.
    var onlyField: Field? {
        let others = type.count + actor.count + platform.count + change.count
        guard
            field.count == 1, app.count <= 1, !allApps, others == 0, correlation.isEmpty,
            reason.isEmpty, since == nil, until == nil
        else { return nil }
        return field[0]
    }

    func validate() throws {
        for name in type where !EventBody.types.contains(name) {
            let names = EventBody.types.joined(separator: ", ")
            throw ValidationError("--type \(legible(name)) does not exist; there are \(names).")
        }
        if allApps, !app.isEmpty { throw ValidationError("Say --all-apps or --app, not both.") }
        guard !reason.contains("") else { throw ValidationError("--reason needs a word.") }
    }

    private func apps() throws -> [AppSlug] {
        guard app.isEmpty, !allApps else { return app }
        return try AppOption(app: nil).named().map { [$0] } ?? []
    }

    /// The filter; people are named as whoever types knows them.
    func filter(_ people: People) throws -> EventFilter {
        var filter = EventFilter()
        filter.apps = try apps()
        filter.types = type
        (filter.platforms, filter.fields, filter.changes) = (platform, field, change)
        (filter.correlations, filter.reasons) = (correlation.map(\.id), reason)
        filter.since = since?.bound
        filter.until = until?.bound
        filter.actors = try people.principals(named: actor)
        return filter
    }
}

/// An end of a span of the record, as it is written on the command line.
struct RecordBound {
    let bound: EventFilter.Bound

    init(beginning text: String) throws {
        bound =
            try Position(argument: text).map(EventFilter.Bound.position)
            ?? .time(moment(text, .past).start)
    }

    init(end text: String) throws {
        bound =
            try Position(argument: text).map(EventFilter.Bound.position)
            ?? .time(moment(text, .past).end)
    }
}

/// The id that all events of one action share.
struct Correlation: ArgumentValue {
    let id: UUID

    static let grammar = "a UUID, as plimsoll history --format json shows it"

    init?(argument: String) {
        guard let id = UUID(uuidString: argument) else { return nil }
        self.id = id
    }
}

/// How the record is written: as results are, or copied whole in a form for programs.
struct RecordOutput: ParsableArguments {
    @Option(
        name: .customLong("format"),
        help: """
            table, json, ndjson or csv; without it tables on a terminal and JSON elsewhere. ndjson \
            and csv are copied as they come, all of it unless --limit is given, with a last line \
            that says how much there was.
            """
    )
    private var chosen: RecordFormat?

    @Flag(name: .customLong("json"), help: "The same as --format json.")
    private var isJSON = false

    @Flag(name: .shortAndLong, help: "Print only results and errors.")
    var quiet = false

    func validate() throws {
        guard isJSON, chosen == .ndjson || chosen == .csv else { return }
        throw ValidationError("--json is --format json; leave out the one or the other.")
    }

    /// `nil` where results are written as those of any command.
    var form: RecordForm? {
        switch chosen {
        case .ndjson: .ndjson
        case .csv: .csv
        case .table, .json, nil: nil
        }
    }

    var usual: OutputOptions {
        let format: Format? =
            switch chosen {
            case .table: .table
            case .json: .json
            case .ndjson, .csv, nil: nil
            }
        return OutputOptions(isJSON ? .json : format, quiet: quiet)
    }
}

enum RecordFormat: String, CaseIterable, ExpressibleByArgument {
    case table
    case json
    case ndjson
    case csv
}

extension EventFilter.Order: ExpressibleByArgument {}
