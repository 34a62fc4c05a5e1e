import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// `plimsoll keys`: the signing keys and their life.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "List the signing keys, and add, activate or retire one.",
        discussion: """
            A key is added, so that clients can learn it, activated beside those that sign \
            already, and retired when no phone knows it alone any more. While several are active \
            everything is signed with each of them, and phones that know only one find its \
            signature at /distribution/APP/keys/KEY/.

            For example: plimsoll keys
            """,
        subcommands: [
            ListKeysCommand.self, ShowKeyCommand.self, AddKeyCommand.self,
            ActivateKeyCommand.self, RetireKeyCommand.self, CompromiseKeyCommand.self,
        ] + serverCommands,
        defaultSubcommand: ListKeysCommand.self
    )
}

#if SERVER
    private var serverCommands: [any ParsableCommand.Type] { [CopyKeysCommand.self] }
#else
    private var serverCommands: [any ParsableCommand.Type] { [] }
#endif

/// `plimsoll keys list`.
struct ListKeysCommand: ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the signing keys.",
        discussion: "For example: plimsoll keys list"
    )

    @OptionGroup var common: CommonOptions

    func report(_ client: AdminClient, _ output: Output) async throws -> Report {
        let list = try await client.call(Endpoints.listKeys)
        let rows = list.keys.map { [$0.id.text, $0.app.text, $0.state.rawValue] }
        return Report(list.json, Table(["KEY", "APP", "STATE"], rows).blocks())
    }
}

/// `plimsoll keys show`.
struct ShowKeyCommand: ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a public key as PEM, for openssl and for apps to pin.",
        discussion: """
            For example:
              plimsoll keys show 3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07 --format table \\
                > key.pem
            """
    )

    @Argument(help: "The key's id.")
    var id: KeyID
    @OptionGroup var common: CommonOptions

    func report(_ client: AdminClient, _ output: Output) async throws -> Report {
        let key = try await client.call(Endpoints.getKey, id)
        return Report(key.json, lines: key.publicKey.split(separator: "\n").map(legible))
    }
}

/// `plimsoll keys add`: a key that clients can learn.
struct AddKeyCommand: FormCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a key that signs nothing yet.",
        discussion: """
            The service makes the key and keeps it in its data directory, unless you say where it \
            is: with --id alone in a PEM file that you have put at keys/APP/KEY.pem there, readable \
            for the service alone; with --environment in a variable of the service; with --kms in \
            AWS KMS, which has given it its id. The key is published at once. Activate it when \
            clients know it.

            Examples:
              plimsoll keys add --reason "The old one is five years old"
              plimsoll keys add --id 3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07
              plimsoll keys add --environment PLIMSOLL_SIGNING_KEY_HARBOUR
              plimsoll keys add --kms \\
                arn:aws:kms:eu-west-2:111122223333:key/3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07
            """
    )

    @OptionGroup var app: AppOption
    @Option(help: "The id that phones know the key by.")
    var id: KeyID?
    @Option(
        help: ArgumentHelp(
            "A variable of the service, named so, that holds the key as PEM.",
            valueName: "PLIMSOLL_SIGNING_KEY_…"
        )
    )
    var environment: EnvironmentName?
    @Option(help: ArgumentHelp("A key in AWS KMS.", valueName: "arn"))
    var kms: KeyServiceName?
    @Option(help: "Why; it is kept with the event.")
    var reason: String?
    @OptionGroup var writing: WritingOptions

    func validate() throws {
        if kms != nil, id != nil || environment != nil {
            throw ValidationError("Say --kms, or --id and --environment; KMS has given the id.")
        }
    }

    func execute(_ output: Output) async throws -> ExitStatus {
        let form = KeyForm(place: place, reason: try Reason(written: reason))
        return try await write(Endpoints.addKey, app.slug, form, output) { key in
            Receipt(key.blocks, "When clients know it: plimsoll keys activate \(key.id)")
        }
    }

    private var place: KeyPlace {
        if let kms { return .service(kms) }
        if let environment { return .environment(environment, id) }
        return id.map(KeyPlace.file) ?? .made
    }
}

extension KeyAnswer {
    fileprivate var blocks: [Report.Block] { [.line("\(id) of \(app): \(state.rawValue)")] }
}

/// Which key is brought on, as it was seen, and why.
struct KeyTurnOptions: ParsableArguments {
    @Argument(help: "The key's id.")
    var id: KeyID
    @Option(
        help: ArgumentHelp(
            "The event that had brought the key to where you saw it; refused if it is another.",
            valueName: "position"
        )
    )
    var seen: Position?
    @Option(help: "Why; it is kept with the event.")
    var reason: String?
    @OptionGroup var submission: SubmissionOptions

    /// Brings the key on from where it stands.
    func run(
        _ endpoint: Endpoint<KeyID, SeenKey, ReasonForm, KeyAnswer>,
        _ client: AdminClient,
        _ output: Output
    ) async throws -> ExitStatus {
        let form = ReasonForm(reason: try Reason(written: reason))
        let position = try await position(client)
        let asked = typedDigest(["form": .object(form.json), "seen": JSONValue(seen)])
        let key = try await submission.write(asked: asked) { options in
            try await client.call(endpoint, id, seen: position, form, options)
        }
        output.show(Report(key.json, key.blocks, dryRun: submission.dryRun))
        submission.note(output)
        return .done
    }

    private func position(_ client: AdminClient) async throws -> Position {
        if let seen { return seen }
        guard let position = try await client.call(Endpoints.getKey, id).position else {
            throw Failure(
                .failed,
                "The service does not say which event the key \(id) is from.",
                next: "plimsoll keys"
            )
        }
        return position
    }
}

/// `plimsoll keys activate`.
struct ActivateKeyCommand: CommonCommand {
    static let configuration = CommandConfiguration(
        commandName: "activate",
        abstract: "Start signing with a key, besides those that sign already.",
        discussion: """
            It is tried first: a key that cannot sign would keep everything from being published. \
            Phones that name no key go on with the key that was activated first. A key that was \
            retired too early can be activated again.

            Examples:
              plimsoll keys activate 3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07
              plimsoll keys activate 3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07 --dry-run
            """
    )

    @OptionGroup var turn: KeyTurnOptions
    @OptionGroup var common: CommonOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        try await service.withClient { client in
            try await turn.run(Endpoints.activateKey, client, output)
        }
    }
}

/// `plimsoll keys retire`.
struct RetireKeyCommand: CommonCommand {
    static let configuration = CommandConfiguration(
        commandName: "retire",
        abstract: "Stop signing with a key.",
        discussion: """
            It shows since when the key signs and what signs afterwards, and asks for the name of its \
            app. Apps that trust only this key refuse every document from then on: they keep the last \
            one that they have, and learn of no block. The last key of an app cannot be retired; one \
            that was retired too early can be activated again.

            Examples:
              plimsoll keys retire 3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07 --dry-run
              plimsoll keys retire 3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07 --yes --app harbour
            """
    )

    @OptionGroup var turn: KeyTurnOptions
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var common: CommonOptions

    @Option(help: "The app whose key it is, in place of being asked for it; needed with --yes.")
    var app: AppSlug?

    func execute(_ output: Output) async throws -> ExitStatus {
        if !turn.submission.dryRun {
            try confirmation.check()
            if confirmation.yes, app == nil {
                throw Failure(
                    .usage,
                    "Whoever retires a key names its app.",
                    next: "the same command with --app and the app's name"
                )
            }
        }
        return try await service.withClient { client in
            let key = try await client.call(Endpoints.getKey, turn.id)
            let signing = try await client.call(Endpoints.listKeys).keys.filter {
                $0.app == key.app && $0.state == .active && $0.id != key.id
            }
            Output.preview(await key.consequences(leaving: signing.map(\.id), client))
            if !turn.submission.dryRun { try obtainName(of: key.app) }
            return try await turn.run(Endpoints.retireKey, client, output)
        }
    }

    /// A name cannot be agreed to by habit.
    private func obtainName(of owner: AppSlug) throws {
        if app == nil {
            Channel.standardError.write("Type the name of the app to retire its key: ")
        }
        let name = app?.text ?? readLine()
        guard name == owner.text else {
            throw Failure(
                .failed,
                "Nothing was done: the key \(turn.id) is of \(owner), and \(legible(name ?? "nothing")) was named."
            )
        }
    }
}

extension KeyAnswer {
    /// Since when it signs, and what becomes of apps that trust no other.
    fileprivate func consequences(
        leaving others: [KeyID],
        _ client: AdminClient
    ) async -> [Report.Block] {
        var lines: [String] = []
        if let position, let event = try? await client.call(Endpoints.getEvent, position) {
            let age =
                Instant.now.millisecondsSince1970 - event.recordedAt.millisecondsSince1970
            let days = max(0, age / 86_400_000)
            lines.append(
                "The key \(id) of \(app) is \(state.rawValue) since \(event.recordedAt)"
                    + " (\(days) days), by event \(position)."
            )
        }
        let rest = others.map(\.text).joined(separator: ", ")
        lines.append(
            others.isEmpty
                ? "No other key of \(app) signs." : "Afterwards \(app) is signed by \(rest)."
        )
        lines.append(
            "Apps that trust only \(id) refuse every document from then on: they keep the last one that"
                + " they have, and learn of no block. If some complain, activate it again."
        )
        return lines.map(Report.Block.line)
    }
}

/// `plimsoll keys compromise`: nobody is to believe a key any more.
struct CompromiseKeyCommand: FormCommand {
    static let configuration = CommandConfiguration(
        commandName: "compromise",
        abstract: "Stop using a stolen key at once; the other keys sign instead.",
        discussion: """
            For a key whose private half somebody else may have. Within a second nothing is served \
            that it has signed. Where it is the only key that signs, another has to be added and \
            activated first. An edge of its own goes on trusting the key until its --keys file \
            says otherwise: give it a new copy of export/keys.json.

            For example:
              plimsoll keys compromise 3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07 \\
                --reason "The backup was stolen" --yes
            """
    )

    @Argument(help: "The key's id.")
    var id: KeyID
    @Option(help: "Why; it is kept with the event.")
    var reason: String
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var writing: WritingOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let form = MandatoryReasonForm(reason: try Reason(written: reason))
        try confirmation.obtain(
            "Compromise the key \(id)? It can never be used again.",
            for: submission
        )
        return try await write(Endpoints.compromiseKey, { _ in id }, form, output) { key in
            Receipt(key.blocks, "Edges of their own need a new copy of export/keys.json.")
        }
    }
}
