import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// Which release is meant.
struct ReleaseArguments: ParsableArguments {
    @Argument(help: "The platform.")
    var platform: Platform
    @Argument(
        help: ArgumentHelp(
            "As its store writes it; on Android the version code.",
            valueName: "version"
        )
    )
    private var written: String
    @OptionGroup var app: AppOption

    func validate() throws { _ = try version() }

    func version() throws -> VersionValue {
        try PlimsollCommands.version(written, "The version", platform.versionKind, platform)
    }

    func place(_ client: AdminClient) async throws -> AppRelease {
        AppRelease(try await app.slug(client), platform, try version())
    }
}

/// What is known of a release.
struct ReleaseFactOptions: ParsableArguments {
    @Option(help: "On Android the version that people read, such as 3.2.0.")
    private var name: String?
    @Option(help: "The build number or name.")
    private var build: String?
    @Option(help: "The oldest system that it runs on; on Android the API level.")
    private var os: String?
    @Option(help: "The name of the store.")
    private var store: String?
    @Option(
        help: ArgumentHelp(
            "Since when the store has it, such as 2h (ago), today or 2026-11-21T08:00:00Z.",
            valueName: "time"
        ),
        transform: TypedMoment.past
    )
    private var liveSince: TypedMoment?

    /// What was typed of a form with these facts.
    func asked(_ form: some Form) -> String {
        var typed = form.json
        typed["liveSince"] = JSONValue(liveSince?.text)
        return typedDigest(typed)
    }

    func facts(on platform: Platform) throws -> ReleaseFacts {
        ReleaseFacts(
            name: try name.map(versionName),
            build: try build.map { try valid($0, "--build", Label.init(validating:)) },
            system: try os.map {
                try PlimsollCommands.version($0, "--os", platform.systemKind, platform)
            },
            store: try store.map { try valid($0, "--store", Label.init(validating:)) },
            liveSince: liveSince?.instant
        )
    }

    private func versionName(_ text: String) throws -> VersionName {
        guard let name = VersionName(text) else {
            throw ValidationError(
                "--name is \"\(excerpt(text))\"; it needs to be \(VersionName.grammar)."
            )
        }
        return name
    }
}

extension ReleaseFactName: ExpressibleByArgument {}

/// A version as the platform writes it.
func version(
    _ text: String,
    _ name: String,
    _ kind: VersionKind,
    _ platform: Platform
) throws -> VersionValue {
    guard let version = VersionValue(text: text, kind) else {
        throw ValidationError(
            "\(name) is \"\(excerpt(text))\"; on \(platform.name) it needs to be \(kind.grammar)."
        )
    }
    return version
}

/// `plimsoll release add`: a version exists.
struct AddReleaseCommand: FormCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Register a version; registering it again changes nothing.",
        discussion: """
            A release that is registered with other facts is left as it is and the exit code is 5; \
            plimsoll release amend mends it.

            Examples:
              plimsoll release add ios 3.2.0 --os 15.0 --build 412 --store "App Store"
              plimsoll release add android 320 --name 3.2.0 --os 24 \\
                --live-since 2026-11-21T08:00:00Z
            """,
        aliases: ["register"]
    )

    @OptionGroup var release: ReleaseArguments
    @OptionGroup var options: ReleaseFactOptions
    @Option(help: "Why; it is kept with the event.")
    var reason: String?
    @OptionGroup var writing: WritingOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let form = ReleaseForm(
            facts: try options.facts(on: release.platform),
            reason: try Reason(written: reason)
        )
        let asked = options.asked(form)
        return try await write(
            Endpoints.registerRelease,
            release.place,
            form,
            output,
            asked: asked
        ) {
            Receipt([.table(table([$0.release]))])
        }
    }
}

/// `plimsoll release amend`: something else is so.
struct AmendReleaseCommand: FormCommand {
    static let configuration = CommandConfiguration(
        commandName: "amend",
        abstract: "Correct facts of a release; what is not named stays.",
        discussion: """
            Examples:
              plimsoll release amend ios 3.2.0 --live-since 2026-11-21T08:00:00Z
              plimsoll release amend ios 3.2.0 --os 16.0 --unset build
            """
    )

    @OptionGroup var release: ReleaseArguments
    @OptionGroup var options: ReleaseFactOptions
    @Option(
        parsing: .singleValue,
        help: "A fact that is taken away: name, build, os, store or liveSince; may be repeated."
    )
    var unset: [ReleaseFactName] = []
    @Option(help: "Why; it is kept with the event.")
    var reason: String?
    @OptionGroup var writing: WritingOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let form = ReleaseAmendmentForm(
            facts: try options.facts(on: release.platform),
            unset: unset,
            reason: try Reason(written: reason)
        )
        guard !form.edits.isEmpty else {
            throw ValidationError(
                "Say what is so: --name, --build, --os, --store, --live-since or --unset."
            )
        }
        let asked = options.asked(form)
        return try await write(Endpoints.amendRelease, release.place, form, output, asked: asked) {
            Receipt([.table(table([$0.release]))])
        }
    }
}

/// `plimsoll release list`.
struct ListReleasesCommand: ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the versions of an app that are known to exist.",
        discussion: """
            Examples:
              plimsoll release list --platform ios
              plimsoll release list --app harbour --at 2026-11-01T00:00:00Z
            """
    )

    @Option(help: "One platform (default: all).")
    var platform: Platform?
    @OptionGroup var app: AppOption
    @OptionGroup var moment: MomentOptions
    @OptionGroup var common: CommonOptions

    func report(_ client: AdminClient, _ output: Output) async throws -> Report {
        let slug = try await app.slug(client)
        let list = try await client.releases(of: slug, on: platform, at: moment.moment)
        let none =
            moment.isLive
            ? "None is known; plimsoll release add makes one known." : "None was known then."
        return Report(list.json, table(list.releases).blocks(none: none))
    }
}

private func table(_ releases: [Release]) -> Table {
    Table(
        ["PLATFORM", "VERSION", "NAME", "BUILD", "NEEDS", "STORE", "LIVE SINCE"],
        releases.map { release in
            [
                release.platform.rawValue, release.version.description,
                release.facts.name?.text ?? "",
                excerpt(release.facts.build?.text ?? "", 20),
                release.facts.system?.description ?? "",
                excerpt(release.facts.store?.text ?? "", 24),
                release.facts.liveSince?.description ?? "",
            ]
        }
    )
}

/// `plimsoll release`: the versions that are known to exist.
struct ReleaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "release",
        abstract: "Register which app versions exist and what they need, or list them.",
        discussion: "For example: plimsoll release list --platform ios",
        subcommands: [
            ListReleasesCommand.self, AddReleaseCommand.self, AmendReleaseCommand.self,
            WithdrawReleaseCommand.self,
        ],
        defaultSubcommand: ListReleasesCommand.self,
        aliases: ["releases"]
    )
}

/// `plimsoll release withdraw`: a version does not exist, or not any more.
struct WithdrawReleaseCommand: FormCommand {
    static let configuration = CommandConfiguration(
        commandName: "withdraw",
        abstract: "Remove a release that does not exist, or no longer does.",
        discussion: """
            For example: plimsoll release withdraw ios 3.2.0 --reason "The review rejected it"
            """
    )

    @OptionGroup var release: ReleaseArguments
    @Option(help: "Why; it is kept with the event.")
    var reason: String?
    @OptionGroup var writing: WritingOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let form = ReasonForm(reason: try Reason(written: reason))
        return try await write(Endpoints.withdrawRelease, release.place, form, output) { place in
            "\(place.platform.name) \(place.version) of \(place.app) is withdrawn."
        }
    }
}
