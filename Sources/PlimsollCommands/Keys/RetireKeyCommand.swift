import ArgumentParser
import PlimsollAPI
import PlimsollDomain

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
            let key = try await client.key(turn.id)
            let signing = try await client.keys().keys.filter {
                $0.app == key.app && $0.state == .active && $0.id != key.id
            }
            output.preview(await key.consequences(leaving: signing.map(\.id), client))
            if !turn.submission.dryRun { try obtainName(of: key.app) }
            return try await turn.run(client, output) { client, seen, form, options in
                try await client.retireKey(turn.id, seen: seen, form, options)
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
        if let position, let event = try? await client.event(position) {
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
