import ArgumentParser
import PlimsollAPI
import PlimsollDomain

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

    typealias Turn = (
        AdminClient, Position, ReasonForm, WriteOptions
    ) async throws -> KeyAnswer

    /// Brings the key on from where it stands.
    func run(
        _ service: ServiceOptions,
        _ output: Output,
        _ turn: Turn
    ) async throws -> ExitStatus {
        try await service.withClient { client in try await run(client, output, turn) }
    }

    /// The same with a client at hand.
    func run(
        _ client: AdminClient,
        _ output: Output,
        _ turn: Turn
    ) async throws -> ExitStatus {
        let form = ReasonForm(reason: try PlimsollCommands.reason(reason))
        let position = try await position(client)
        let key = try await submission.write { options in
            try await turn(client, position, form, options)
        }
        output.show(key.report(dryRun: submission.dryRun))
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
struct ActivateKeyCommand: PlimsollCommand {
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
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        try await turn.run(service, output) { client, seen, form, options in
            try await client.call(Endpoints.activateKey, turn.id, seen: seen, form, options)
        }
    }
}

/// `plimsoll keys retire`.
struct RetireKeyCommand: PlimsollCommand {
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
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

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
            output.preview(await key.consequences(leaving: signing.map(\.id), client))
            if !turn.submission.dryRun { try obtainName(of: key.app) }
            return try await turn.run(client, output) { client, seen, form, options in
                try await client.call(Endpoints.retireKey, turn.id, seen: seen, form, options)
            }
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
struct CompromiseKeyCommand: PlimsollCommand {
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
    @OptionGroup var submission: SubmissionOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        guard let words = try PlimsollCommands.reason(reason) else { return .usage }
        if !submission.dryRun {
            try confirmation.obtain("Compromise the key \(id)? It can never be used again.")
        }
        return try await service.withClient { client in
            let key = try await submission.write { options in
                try await client.call(
                    Endpoints.compromiseKey,
                    id,
                    MandatoryReasonForm(reason: words),
                    options
                )
            }
            output.show(key.report(dryRun: submission.dryRun))
            output.note(
                submission.dryRun
                    ? "This was a dry run; nothing was written."
                    : "Edges of their own need a new copy of export/keys.json."
            )
            return .done
        }
    }
}
