import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll apps`: what is kept above the line.
struct AppsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apps",
        abstract: "List the apps, register one, change its settings, or choose the default app.",
        discussion: "For example: plimsoll apps",
        subcommands: [
            ListAppsCommand.self, RegisterAppCommand.self, ShowSettingsCommand.self,
            SetSettingsCommand.self, DefaultAppCommand.self,
        ],
        defaultSubcommand: ListAppsCommand.self
    )
}

/// `plimsoll apps list`.
struct ListAppsCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the apps.",
        discussion: """
            Examples:
              plimsoll apps list --json
              plimsoll apps list --at 2026-11-01T00:00:00Z
            """
    )

    @OptionGroup var moment: MomentOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        try await service.withClient { client in
            let list = try await client.apps(at: moment.moment)
            let sentence =
                moment.isLive
                ? "There is none; plimsoll apps register makes one." : "There was none then."
            let none = [Report.Block.line(sentence)]
            output.show(Report(list.json, list.apps.isEmpty ? none : [.table(table(list.apps))]))
            return .done
        }
    }
}

/// `plimsoll apps register`.
struct RegisterAppCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "register",
        abstract: "Register an app.",
        discussion: """
            The first app becomes the default one, which phones find without its name.

            For example:
              plimsoll apps register harbour --name Harbour --platform ios --platform android \\
                --language en-GB --language de --fallback en-GB
            """
    )

    @Argument(help: "A short name for addresses, such as harbour.")
    var slug: AppSlug
    @Option(help: "The name that people know; the slug without it.")
    var name: String?
    @Option(parsing: .singleValue, help: "A platform of the app; may be repeated.")
    var platform: [Platform]
    @Option(parsing: .singleValue, help: "A language that every text needs; may be repeated.")
    var language: [LanguageTag]
    @Option(help: "The language that phones fall back to; the first one without it.")
    var fallback: LanguageTag?
    @Option(help: "complete, as shipped phones need it, v3.0, as the first ones do, or minimal.")
    var profile: DocumentProfile?
    @OptionGroup var readers: ReaderOptions
    @Option(
        name: .customLong("prince-of-versions"),
        help: "modern, for its clients since 4.0, or all, for those before as well."
    )
    var princeClients: PrinceClients?
    @Flag(name: .customLong("default"), help: "Make it the default app.")
    var isDefault = false
    @OptionGroup var service: ServiceOptions
    @OptionGroup var submission: SubmissionOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        guard let fallback = fallback ?? language.first else {
            throw ValidationError("An app needs a --language.")
        }
        let settings = AppSettings(
            name: try title(name ?? slug.text, "--name"),
            platforms: platform,
            languages: language,
            fallbackLanguage: fallback,
            profile: profile ?? .complete,
            princeClients: princeClients ?? .modern,
            shippedLanguages: readers.shippedLanguages,
            clients: readers.clients(keeping: nil)
        )
        let form = RegistrationForm(
            slug: slug,
            settings: settings,
            isDefault: isDefault ? true : nil
        )
        return try await service.withClient { client in
            let app = try await submission.write { options in
                try await client.register(form, options)
            }
            output.show(Report(app.json, [.table(table([app]))]))
            return .done
        }
    }
}

private func table(_ apps: [AppAnswer]) -> Table {
    Table(
        ["APP", "NAME", "PLATFORMS", "LANGUAGES", "DEFAULT", "EVENT", "SEQUENCE"],
        apps.map { app in
            [
                app.slug.text, excerpt(app.settings.name.text, 30),
                app.settings.platforms.map(\.rawValue).joined(separator: ","),
                app.settings.languages.map(\.text).joined(separator: ","),
                app.isDefault ? "yes" : "", app.position.description,
                app.sequence?.description ?? "",
            ]
        }
    )
}
