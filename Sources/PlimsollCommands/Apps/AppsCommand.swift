import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

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
struct ListAppsCommand: ReadingCommand {
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
    @OptionGroup var common: CommonOptions

    func report(_ client: AdminClient, _ output: Output) async throws -> Report {
        let list = try await client.call(Endpoints.listApps, moment.moment.query)
        let none =
            moment.isLive
            ? "There is none; plimsoll apps register makes one." : "There was none then."
        return Report(list.json, table(list.apps).blocks(none: none))
    }
}

/// `plimsoll apps register`.
struct RegisterAppCommand: FormCommand {
    static let configuration = CommandConfiguration(
        commandName: "register",
        abstract: "Register an app.",
        discussion: """
            The first app becomes the default one, which phones find without its name.

            For example:
              plimsoll apps register harbour --name Harbour --platform ios \\
                --platform android \\
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
    var princeClients: PrinceOfVersionsClients?
    @Flag(name: .customLong("default"), help: "Make it the default app.")
    var isDefault = false
    @OptionGroup var writing: WritingOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        guard let fallback = fallback ?? language.first else {
            throw ValidationError("An app needs a --language.")
        }
        let settings = AppSettings(
            name: try Title(written: name ?? slug.text, "--name"),
            platforms: platform,
            languages: language,
            fallbackLanguage: fallback,
            profile: profile ?? .complete,
            princeClients: princeClients ?? .modern,
            shippedLanguages: readers.shippedLanguages,
            clients: readers.clients
        )
        let form = RegistrationForm(
            slug: slug,
            settings: settings,
            isDefault: isDefault ? true : nil
        )
        return try await write(Endpoints.registerApp, { _ in NoNames() }, form, output) { app in
            Receipt([.table(table([app]))])
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

/// `plimsoll apps default`: another app stands at the addresses without a name.
struct DefaultAppCommand: FormCommand {
    static let configuration = CommandConfiguration(
        commandName: "default",
        abstract: "Have an app's documents stand at the addresses without an app's name.",
        discussion: """
            Phones that ask for /distribution/availability-ios are given the documents of the \
            default app, which is the first one that was registered. This makes another app the \
            default one, at once. It takes an administrator of all apps.

            It shows which addresses give another document, and asks; --dry-run only shows it. \
            Every app signs with keys of its own: phones that trust only those of the app before \
            refuse what they are given then, and keep what they have. Addresses with an app's name \
            stay as they are. To go back, choose the app before again.

            Examples:
              plimsoll apps default ferry --dry-run
              plimsoll apps default ferry --reason "The sample is not needed any more"
            """
    )

    @Argument(help: "The app that is to be the default one.")
    var app: AppSlug
    @Option(
        help: ArgumentHelp(
            "The default app as it was seen; refused if it is another by now.",
            valueName: "app"
        )
    )
    var from: AppSlug?
    @Option(help: "Why; it is kept with the event.")
    var reason: String?
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var writing: WritingOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let reason = try Reason(written: reason)
        if !submission.dryRun { try confirmation.check() }
        return try await service.withClient { client in
            let form = DefaultAppForm(from: try await seen(client), reason: reason)
            if !submission.dryRun, !confirmation.yes {
                let dryRun = try await submission.preview { options in
                    try await client.call(Endpoints.chooseDefaultApp, app, form, options)
                }
                if let dryRun { Output.preview(dryRun.blocks) }
                try confirmation.obtain("Give phones the documents of \(app) there?")
            }
            let asked = typedDigest([
                "from": JSONValue(from?.text), "reason": JSONValue(reason?.text),
            ])
            let answer = try await submission.write(asked: asked) { options in
                try await client.call(Endpoints.chooseDefaultApp, app, form, options)
            }
            output.show(Report(answer.json, answer.blocks, dryRun: submission.dryRun))
            submission.note(output)
            return .done
        }
    }

    private func seen(_ client: AdminClient) async throws -> AppSlug? {
        if let from { return from }
        return try await client.call(Endpoints.listApps).apps.first(where: \.isDefault)?.slug
    }
}

extension DefaultAppAnswer {
    fileprivate var blocks: [Report.Block] {
        let event = position.map { ", since event \($0)" } ?? ""
        let table = Table(
            ["ADDRESS", "BEFORE", "AFTER"],
            addresses.map { address in
                [
                    address.path, address.before.map { words($0) } ?? "nothing",
                    address.after.map { words($0, isNew: true) } ?? "nothing: 404",
                ]
            }
        )
        return [.line("\(app) is the default app\(event)"), .table(table)] + keys
    }

    private func words(_ document: Document, isNew: Bool = false) -> String {
        guard let sequence = document.sequence else { return "\(document.app), not published" }
        return "\(document.app), sequence \(sequence)"
            + (isNew && position == nil ? " or above" : "")
    }

    private var keys: [Report.Block] {
        guard let from else { return [] }
        let (before, after) = (keysBefore.map(\.text), keysAfter.map(\.text))
        return [
            "Signed by \(after.joined(separator: ", ")) of \(app),"
                + " where \(before.joined(separator: ", ")) of \(from) signed before.",
            "Phones that trust keys of \(from) only refuse what they are given there, keep the"
                + " document that they have, and learn of nothing new, until they ask for"
                + " /distribution/\(from)/.",
        ].map(Report.Block.line)
    }
}

/// Who reads an app's documents.
struct ReaderOptions: ParsableArguments {
    @Option(
        name: .customLong("ships-with"),
        parsing: .singleValue,
        help: "A language that the app itself is made in, of all there are; may be repeated."
    )
    private var shipped: [LanguageTag] = []
    @Option(
        name: .customLong("read-by"),
        parsing: .singleValue,
        help: ArgumentHelp(
            "Shipped apps that people have, such as nhs-ios-3.0, of all there are; may be repeated;"
                + " none for none of them, all for every one that is known.",
            valueName: "client"
        )
    )
    private var readers: [ReaderArgument] = []

    var shippedLanguages: [LanguageTag]? { shipped.isEmpty ? nil : shipped }

    /// Whether anything is said of clients.
    var namesClients: Bool { !readers.isEmpty }

    /// `nil` for every one that is known, as where nothing is said.
    var clients: [ClientGeneration]? {
        guard namesClients, !readers.contains(.all) else { return nil }
        return readers.compactMap { reader in
            if case .generation(let generation) = reader { generation } else { nil }
        }
    }

    /// The options as they were given.
    var typed: JSONObject {
        [
            "shipsWith": .array(shipped.map { .string($0.text) }),
            "readBy": .array(readers.map { .string($0.typed) }),
        ]
    }

    func validate() throws {
        if readers.count > 1, readers.contains(.all) || readers.contains(.none) {
            throw ValidationError("--read-by all and --read-by none leave no room for others.")
        }
    }
}

/// A client by its name, or a word for all or none of them.
private enum ReaderArgument: Equatable, ArgumentValue {
    case all
    case none
    case generation(ClientGeneration)

    static let grammar = "none, all, or \(ClientGeneration.grammar)"

    var typed: String {
        switch self {
        case .all: "all"
        case .none: "none"
        case .generation(let generation): generation.name
        }
    }

    init?(argument: String) {
        switch argument {
        case "all": self = .all
        case "none": self = .none
        default:
            guard let generation = ClientGeneration(argument) else { return nil }
            self = .generation(generation)
        }
    }
}
