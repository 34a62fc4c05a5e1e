import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll apps set`: an app gets other settings.
struct SetSettingsCommand: PlimsollCommand {
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
              plimsoll apps set harbour --language en-GB --language cy --fallback cy --dry-run
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
    @OptionGroup var submission: SubmissionOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let (reason, name) = (try PlimsollCommands.reason(reason), try edits.title())
        let isAsked = seen == nil && !submission.dryRun
        if isAsked { try confirmation.check() }
        return try await service.withClient { client in
            let slug = try await AppOption(app: app).slug(client)
            let current = try await client.settings(of: slug)
            let settings = edits.applied(to: current.settings, named: name)
            let draft = SettingsDraft(from: current.settings, to: settings)
            if isAsked { try confirm(draft, output) }
            let form = SettingsForm(settings: settings, reason: reason)
            let answer = try await submission.write { options in
                try await client.change(
                    settingsOf: slug,
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
        output.preview(draft.blocks)
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
    var princeClients: PrinceClients?

    func validate() throws {
        let isNothing =
            name == nil && fallback == nil && profile == nil && princeClients == nil
            && readers.isEmpty
            && language.isEmpty && addLanguage.isEmpty && addPlatform.isEmpty
        if isNothing {
            throw ValidationError("Say what is to be another: --name, --add-language, …")
        }
        if !language.isEmpty, !addLanguage.isEmpty {
            throw ValidationError(
                "Give every language with --language, or some more with --add-language."
            )
        }
    }

    func title() throws -> Title? {
        try name.map { try PlimsollCommands.title($0, "--name") }
    }

    func applied(to settings: AppSettings, named name: Title?) -> AppSettings {
        AppSettings(
            name: name ?? settings.name,
            platforms: settings.platforms.adding(addPlatform),
            languages: language.isEmpty ? settings.languages.adding(addLanguage) : language,
            fallbackLanguage: fallback ?? settings.fallbackLanguage,
            profile: profile ?? settings.profile,
            princeClients: princeClients ?? settings.princeClients,
            shippedLanguages: readers.shippedLanguages ?? settings.shippedLanguages,
            clients: readers.clients(keeping: settings.clients)
        )
    }
}

extension Array where Element: Equatable {
    /// What is there already is not added again.
    fileprivate func adding(_ elements: [Element]) -> [Element] {
        elements.reduce(self) { $0.contains($1) ? $0 : $0 + [$1] }
    }
}
