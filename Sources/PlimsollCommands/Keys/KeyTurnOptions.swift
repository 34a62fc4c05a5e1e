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
        AdminClient, Position, KeyTurnForm, WriteOptions
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
        let form = KeyTurnForm(reason: try PlimsollCommands.reason(reason))
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
        guard let position = try await client.key(id).position else {
            throw Failure(
                .failed,
                "The service does not say which event the key \(id) is from.",
                next: "plimsoll keys"
            )
        }
        return position
    }
}
