import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// `plimsoll apps set`: an app gets other settings.
struct SetSettingsCommand: FormCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change settings of an app; what is not named stays.",
        discussion: """
            It shows what changes, and whether phones are served other bytes for it, and asks; \
            --dry-run only shows it. A language can be required once every text is there \
            in it: propose the texts first. A platform can be added, but not taken away. Where \
            everything is so already the exit code is 3.

            Examples:
              plimsoll apps set harbour --add-language de --reason "Texts are complete"
              plimsoll apps set harbour --language en-GB --language cy --fallback cy \\
                --dry-run
              plimsoll apps set harbour --add-platform macos --seen 42
            """
    )

    @Argument(help: "The app; may be left out where there is one app.")
    var app: AppSlug?
    @OptionGroup var edits: SettingEdits
    @Option(
        help: ArgumentHelp(
            "The event of the settings as they were seen; refused if they are others.",
            valueName: "position"
        )
    )
    var seen: Position?
    @Option(help: "Why; it is kept with the event.")
    var reason: String?
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var writing: WritingOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let (reason, name) = (try Reason(written: reason), try edits.title())
        let isAsked = seen == nil && !submission.dryRun
        if isAsked { try confirmation.check() }
        return try await service.withClient { client in
            let slug = try await AppOption(app: app).slug(client)
            let current = try await client.call(Endpoints.getSettings, slug)
            let settings = edits.applied(to: current.settings, named: name)
            let draft = SettingsDraft(from: current.settings, to: settings)
            if isAsked { try confirm(draft, output) }
            let form = SettingsForm(settings: settings, reason: reason)
            let asked = typedDigest([
                "edits": .object(edits.typed), "reason": JSONValue(reason?.text),
                "seen": JSONValue(seen),
            ])
            let answer = try await submission.write(asked: asked) { options in
                try await client.call(
                    Endpoints.changeSettings,
                    slug,
                    seen: try seen ?? current.seen(),
                    form,
                    options
                )
            }
            let report = answer.report(await output.people(client), dryRun: submission.dryRun)
            output.show(submission.dryRun ? draft.report(before: report) : report)
            submission.note(output)
            return .done
        }
    }

    /// What changes nothing is not asked about: the service says so.
    private func confirm(_ draft: SettingsDraft, _ output: Output) throws {
        guard !confirmation.yes, !draft.isEmpty else { return }
        Output.preview(draft.blocks)
        try confirmation.obtain("Change that?")
    }
}

/// Which settings are to be others.
struct SettingEdits: ParsableArguments {
    @Option(help: "The name that people know.")
    var name: String?
    @Option(
        parsing: .singleValue,
        help: "A language that every text needs, of all there are; may be repeated."
    )
    var language: [LanguageTag] = []
    @Option(
        parsing: .singleValue,
        help: "One more language that every text needs; may be repeated."
    )
    var addLanguage: [LanguageTag] = []
    @Option(parsing: .singleValue, help: "One more platform; may be repeated.")
    var addPlatform: [Platform] = []
    @Option(help: "The language that phones fall back to.")
    var fallback: LanguageTag?
    @Option(help: "complete, as shipped phones need it, v3.0, as the first ones do, or minimal.")
    var profile: DocumentProfile?
    @OptionGroup var readers: ReaderOptions
    @Option(
        name: .customLong("prince-of-versions"),
        help: "modern, for its clients since 4.0, or all, for those before as well."
    )
    var princeClients: PrinceOfVersionsClients?

    func validate() throws {
        if name == nil, edits(naming: nil).isEmpty {
            throw ValidationError("Say what is to be another: --name, --add-language, …")
        }
        if !language.isEmpty, !addLanguage.isEmpty {
            throw ValidationError(
                "Give every language with --language, or some more with --add-language."
            )
        }
    }

    func title() throws -> Title? {
        try Title(written: name, "--name")
    }

    func applied(to settings: AppSettings, named name: Title?) -> AppSettings {
        edits(naming: name).reduce(into: settings) { $1(&$0) }
    }

    /// The options as they were given.
    var typed: JSONObject {
        [
            "name": JSONValue(name),
            "language": .array(language.map { .string($0.text) }),
            "addLanguage": .array(addLanguage.map { .string($0.text) }),
            "addPlatform": JSONValue(addPlatform),
            "fallback": JSONValue(fallback?.text),
            "profile": JSONValue(profile?.rawValue),
            "readers": .object(readers.typed),
            "princeOfVersions": JSONValue(princeClients?.rawValue),
        ]
    }

    /// What each option that is given does to the settings; the others stay as they are.
    private func edits(naming title: Title?) -> [(inout AppSettings) -> Void] {
        var edits: [(inout AppSettings) -> Void] = []
        if let title { edits.append { $0.name = title } }
        if !addPlatform.isEmpty {
            edits.append { $0.platforms = $0.platforms.adding(addPlatform) }
        }
        if !language.isEmpty { edits.append { $0.languages = language } }
        if !addLanguage.isEmpty {
            edits.append { $0.languages = $0.languages.adding(addLanguage) }
        }
        if let fallback { edits.append { $0.fallbackLanguage = fallback } }
        if let profile { edits.append { $0.profile = profile } }
        if let princeClients { edits.append { $0.princeClients = princeClients } }
        if let shipped = readers.shippedLanguages { edits.append { $0.shippedLanguages = shipped } }
        if readers.namesClients { edits.append { $0.clients = readers.clients } }
        return edits
    }
}

extension Array where Element: Equatable {
    /// What is there already is not added again.
    fileprivate func adding(_ elements: [Element]) -> [Element] {
        elements.reduce(self) { $0.contains($1) ? $0 : $0 + [$1] }
    }
}

/// `plimsoll apps settings`: what an app is called, where it is kept and in which languages.
struct ShowSettingsCommand: ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "Show the settings of an app, and who made them so.",
        discussion: """
            Examples:
              plimsoll apps settings harbour
              plimsoll apps settings harbour --at 2026-11-21T08:00:00Z
            """
    )

    @Argument(help: "The app; may be left out where there is one app.")
    var app: AppSlug?
    @OptionGroup var moment: MomentOptions
    @OptionGroup var common: CommonOptions

    func report(_ client: AdminClient, _ output: Output) async throws -> Report {
        let slug = try await AppOption(app: app).slug(client)
        let settings = try await client.call(Endpoints.getSettings, slug, moment.moment.query)
        return settings.report(await output.people(client))
    }
}

/// What new settings would change, before anybody agrees to it.
struct SettingsDraft {
    private let differences: [Difference]
    /// Whether published bytes are others for it.
    private let republishes: Bool

    init(from before: AppSettings, to after: AppSettings) {
        differences = before.differences(to: after)
        republishes = !SettingsEffect(from: before, to: after).isEmpty
    }

    var isEmpty: Bool { differences.isEmpty }

    var blocks: [Report.Block] {
        let publication = republishes ? ["Phones are served other bytes at once."] : []
        return (differences.map { legible($0.sentence) } + publication).map(Report.Block.line)
    }

    /// The report of a dry run with what would change before it.
    func report(before report: Report) -> Report {
        var json = report.json
        json["changes"] = JSONValue(differences)
        json["republishes"] = .bool(republishes)
        return Report(json, blocks + [.line("")] + report.blocks)
    }
}

extension SettingsAnswer {
    func report(_ people: People, dryRun: Bool = false) -> Report {
        let event = position.map { ", of event \($0)" } ?? ""
        var lines = ["\(app)\(event)", "made by \(people.name(by)), \(since)"]
        if let reason { lines.append("reason  \(excerpt(reason.text, 400))") }
        lines += [""] + settings.told.map { "\($0.subject): \($0.words.map(legible) ?? "unset")" }
        lines += refusedBy.map { legible($0.sentence) }
        return Report(json, lines: lines, dryRun: dryRun)
    }

    /// The event that whoever changes them has to name.
    func seen() throws -> Position {
        guard let position else {
            throw Failure(
                .failed,
                "The service does not say which event the settings of \(app) are from.",
                next: "plimsoll apps settings \(app)"
            )
        }
        return position
    }
}
