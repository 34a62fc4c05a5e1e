import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// `plimsoll marketplace`: alternative marketplaces, and the packages that they hand out.
struct MarketplaceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "marketplace",
        abstract: "Say what an alternative marketplace is, lists and hands out, and explain it.",
        discussion: """
            A marketplace is an app of its own. Which packages it offers of another app is a field of \
            that app, and goes the way of every change.

            For example: plimsoll marketplace show tidewater
            """,
        subcommands: [
            ShowMarketplaceCommand.self, SetMarketplaceCommand.self, RemoveMarketplaceCommand.self,
            ListingCommand.self, PackageCommand.self, WithdrawPackagesCommand.self,
            ExplainCommand.self, NotificationsCommand.self, DropNotificationsCommand.self,
            AskToForgetCommand.self, MarketplaceCheckCommand.self,
        ] + serverSubcommands,
        aliases: ["marketplaces"]
    )
}

extension MarketplaceCommand {
    /// What needs the rooms of the service: programs of their own, and what makes files or keys.
    private static var serverSubcommands: [any ParsableCommand.Type] {
        #if SERVER
            [
                MarketplaceIngestCommand.self, MarketplaceServeCommand.self,
                DeveloperTokenCommand.self, ForgetAccountCommand.self,
            ]
        #else
            []
        #endif
    }
}

/// `plimsoll marketplace show`: what devices and people are told of it.
struct ShowMarketplaceCommand: ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the marketplace that an app is.",
        discussion: "For example: plimsoll marketplace show tidewater"
    )

    @Argument(help: "The app that the marketplace is; may be left out where there is one app.")
    var marketplace: AppSlug?
    @OptionGroup var common: CommonOptions

    func report(_ client: AdminClient, _ output: Output) async throws -> Report {
        let slug = try await AppOption(app: marketplace).slug(client)
        let answer = try await client.call(Endpoints.getMarketplace, slug)
        return Report(answer.json, answer.blocks)
    }
}

/// Which marketplace is replaced, as it was seen.
struct MarketplaceDecisionOptions: ParsableArguments {
    @Argument(help: "The app that the marketplace is; may be left out where there is one app.")
    var marketplace: AppSlug?
    @Option(
        help: ArgumentHelp(
            "The event of the marketplace as it was seen; refused if it is another.",
            valueName: "position"
        )
    )
    var seen: Position?
    @Option(help: "Why; it is kept with the event.")
    var reason: String?
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var submission: SubmissionOptions
    @OptionGroup var service: ServiceOptions

    /// Shows what stands there, asks, and answers the event that the decision binds to.
    ///
    /// Who names an event has seen it, and is not asked again.
    func position(
        of current: MarketplaceAnswer?,
        _ question: String
    ) throws -> Position? {
        if let seen { return seen }
        if let current, !submission.dryRun, !confirmation.yes {
            Output.preview(current.blocks)
            try confirmation.obtain(question)
        }
        return current?.position
    }

    /// What the app is by now, if it is a marketplace.
    func current(_ slug: AppSlug, _ client: AdminClient) async throws -> MarketplaceAnswer? {
        do throws(AdminError) {
            return try await client.call(Endpoints.getMarketplace, slug)
        } catch {
            let codes = error.problem?.errors.map(\.code) ?? []
            guard codes.contains("marketplaceUnknown") else { throw error }
            return nil
        }
    }
}

/// `plimsoll marketplace set`: an app is a marketplace, or another one.
struct SetMarketplaceCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Make an app an alternative marketplace, or say anew what it is.",
        discussion: """
            What is not named stays; with --file everything is as the file says, which has the \
            members of the API and can say what is other for one app, and whom devices ask for a \
            token. Where there is a marketplace already it is shown, and you are asked. Every address \
            lies on a registered domain.

            Examples:
              plimsoll marketplace set tidewater --item 6497405838 \\
                --domain market.example.com \\
                --restore https://market.example.com/restore \\
                --updates https://market.example.com/updates \\
                --dynamic-license https://market.example.com/licenses \\
                --signing-certificate https://market.example.com/signing.cer \\
                --encryption-certificate https://market.example.com/encryption.cer
              plimsoll marketplace set tidewater --polling-interval 48 --seen 12
              plimsoll marketplace set tidewater --file marketplace.json --dry-run
            """
    )

    @OptionGroup var facts: MarketplaceFactOptions
    @OptionGroup var decision: MarketplaceDecisionOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let written = try facts.written()
        let reason = try Reason(written: decision.reason ?? written?["reason"]?.string)
        let asked = typedDigest([
            "facts": .object(facts.typed(written)), "reason": JSONValue(reason?.text),
            "seen": JSONValue(decision.seen),
        ])
        return try await decision.service.withClient { client in
            let slug = try await AppOption(app: decision.marketplace).slug(client)
            let current = try await decision.current(slug, client)
            let form = MarketplaceForm(
                marketplace: try facts.marketplace(written, editing: current),
                reason: reason
            )
            let seen = try decision.position(of: current, "Say anew what \(slug) is?")
            let answer = try await decision.submission.write(asked: asked) { options in
                try await client.call(
                    Endpoints.setMarketplace,
                    slug,
                    seen: seen,
                    form,
                    options
                )
            }
            output.show(
                Report(answer.json, answer.blocks, dryRun: decision.submission.dryRun)
            )
            decision.submission.note(
                output,
                "Apps are listed in it with: plimsoll marketplace listing set \(slug) --app …"
            )
            return .done
        }
    }
}

/// What there is to say of a marketplace.
struct MarketplaceFactOptions: ParsableArguments {
    @Option(help: "The AppleItemID of the marketplace's own app.")
    private var item: String?
    @Option(
        parsing: .singleValue,
        help: "A domain that is registered for it, of all there are; may be repeated."
    )
    private var domain: [String] = []
    @Option(help: "Where devices ask for a certain version.")
    private var restore: String?
    @Option(help: "Where devices ask for updates.")
    private var updates: String?
    @Option(help: "The hours between two questions of one device (default: 24).")
    private var pollingInterval: Int64?
    @Option(help: "Where devices ask for licences.")
    private var dynamicLicense: String?
    @Option(help: "Where devices have licences renewed.")
    private var licenseRenewal: String?
    @Option(help: "A page for people whose licence has expired.")
    private var licenseResolution: String?
    @Option(help: "Where the certificate lies that signs licences.")
    private var signingCertificate: String?
    @Option(help: "Where the certificate lies that devices encrypt for.")
    private var encryptionCertificate: String?
    @Option(help: "The address of an app's page, with {item} for its AppleItemID.")
    private var landingPage: String?
    @Option(help: "Who may ask: everybody or bearers, of a token.")
    private var audience: MarketplaceAudience?
    @Option(help: ArgumentHelp("The marketplace as JSON, as the API takes it.", valueName: "path"))
    private var file: String?

    func validate() throws {
        if file == nil, edits.isEmpty {
            throw ValidationError("Say what it is: --item, --domain, --restore, … or --file.")
        }
    }

    private var edits: JSONObject {
        var object = JSONObject()
        let texts = [
            ("item", item), ("restore", restore), ("updates", updates),
            ("dynamicLicense", dynamicLicense), ("licenseRenewal", licenseRenewal),
            ("licenseResolution", licenseResolution),
            ("signingCertificate", signingCertificate),
            ("encryptionCertificate", encryptionCertificate), ("landingPage", landingPage),
            ("audience", audience?.rawValue),
        ]
        for case (let name, let text?) in texts { object[name] = .string(text) }
        if !domain.isEmpty { object["domains"] = .array(domain.map { .string($0) }) }
        if let pollingInterval { object["pollingInterval"] = .integer(pollingInterval) }
        return object
    }

    /// What stands in the file, if one is named.
    func written() throws -> JSONObject? {
        guard let file else { return nil }
        let bytes = try contents(of: file)
        let object: JSONObject?
        do throws(JSONError) {
            object = try JSONValue(parsing: bytes).object
        } catch {
            throw unreadable(JSONIssues(error).checks)
        }
        guard let object else { throw unreadable([]) }
        return object
    }

    /// The options as they were given, and the file.
    func typed(_ written: JSONObject?) -> JSONObject {
        ["file": written.map(JSONValue.object) ?? .null, "edits": .object(edits)]
    }

    /// The options on top of the file, or without one of what there is.
    func marketplace(
        _ written: JSONObject?,
        editing current: MarketplaceAnswer?
    ) throws -> Marketplace {
        var object =
            written ?? current.map { MarketplaceForm(marketplace: $0.marketplace).json } ?? [:]
        object["reason"] = nil
        for member in edits.members { object[member.key] = member.value }
        do throws(Problem) {
            return try MarketplaceForm(body: object.canonicalBytes()).marketplace
        } catch {
            throw unreadable(error.errors.map(Failure.Check.init))
        }
    }

    private func unreadable(_ checks: [Failure.Check]) -> Failure {
        Failure(
            .usage,
            "This is no marketplace.",
            checks: checks,
            next: "plimsoll marketplace set --help"
        )
    }
}

extension MarketplaceAudience: ExpressibleByArgument {}

/// `plimsoll marketplace remove`: an app is no marketplace any more.
struct RemoveMarketplaceCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Have an app be no marketplace any more.",
        discussion: """
            It is shown, and you are asked. Apps that are listed in it are taken out first: plimsoll \
            marketplace listing remove.

            For example:
              plimsoll marketplace remove tidewater --reason "It closes" --yes
            """
    )

    @OptionGroup var decision: MarketplaceDecisionOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let form = ReasonForm(reason: try Reason(written: decision.reason))
        if decision.seen == nil, !decision.submission.dryRun { try decision.confirmation.check() }
        return try await decision.service.withClient { client in
            let slug = try await AppOption(app: decision.marketplace).slug(client)
            // Under a key it may be none any more by this very command.
            let current =
                decision.submission.mayRepeat
                ? try await decision.current(slug, client)
                : try await client.call(Endpoints.getMarketplace, slug)
            let seen = try decision.position(of: current, "Is \(slug) to be no marketplace?")
            let asked = typedDigest([
                "form": .object(form.json), "seen": JSONValue(decision.seen),
            ])
            try await decision.submission.write(asked: asked) { options in
                try await client.call(
                    Endpoints.removeMarketplace,
                    slug,
                    seen: seen,
                    form,
                    options
                )
            }
            if decision.submission.dryRun { output.show(Report([:], [], dryRun: true)) }
            decision.submission.note(output, "\(slug) is no marketplace any more.")
            return .done
        }
    }
}

extension MarketplaceAnswer {
    var blocks: [Report.Block] {
        let license = marketplace.endpoints.license
        var lines = [
            ("\(app) is the marketplace \(marketplace.item)", "since event \(position)"),
            ("domains", marketplace.domains.map(\.text).joined(separator: ", ")),
            ("asked by", marketplace.audience == .everybody ? "everybody" : "bearers of a token"),
            ("restore", marketplace.endpoints.restore.text),
            (
                "updates",
                "\(marketplace.endpoints.updates), every \(marketplace.endpoints.pollingInterval) h"
            ),
            ("licences", license.dynamic.text),
        ]
        let others = [
            ("renewal", license.renewal?.text), ("resolution", license.resolution?.text),
            ("tokens", marketplace.authorization?.token.text),
            ("pages", marketplace.landingPage?.text),
        ]
        for case (let name, let text?) in others { lines.append((name, text)) }
        for override in marketplace.overrides {
            lines.append(("for \(override.item)", "something is other; --json has it"))
        }
        let width = lines.dropFirst().map(\.0.count).max() ?? 0
        return lines.enumerated().map { index, line in
            let (name, text) = line
            let padding = String(repeating: " ", count: max(0, width - name.count))
            return .line(index == 0 ? "\(name), \(text)" : "\(name)\(padding)  \(legible(text))")
        } + marketplace.warnings.map { .line("warning: \($0.sentence)") }
    }
}
