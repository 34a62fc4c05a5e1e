import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// Which change is decided on, and as it was seen.
struct DecisionOptions: ParsableArguments {
    @Argument(help: "The change's number.")
    var id: ChangeID
    @Option(
        help: ArgumentHelp(
            "The digest of the change as it was reviewed; the decision is refused if it differs.",
            valueName: "digest"
        )
    )
    var digest: ChangeDigest?
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var submission: SubmissionOptions

    /// Shows the change, asks, and answers the digest that the decision binds to.
    ///
    /// Who names a digest has seen the change, and is not asked again.
    func digest(toDecide verb: String, _ client: AdminClient) async throws -> ChangeDigest {
        try await seen(toDecide: verb, client).digest
    }

    /// The same with the counts of devices that were shown; `nil` where nothing was.
    func seen(
        toDecide verb: String,
        _ client: AdminClient
    ) async throws -> (digest: ChangeDigest, counts: [Platform: Position]?) {
        if let digest { return (digest, nil) }
        if !submission.dryRun { try confirmation.check() }
        let change = try await client.change(id)
        let seen = try seen(change)
        if !submission.dryRun, !confirmation.yes {
            Channel.standardError.write(
                render(Report([:], change.blocks(await People(client))), as: .table, .plain)
            )
            try confirmation.obtain("\(verb) change \(id)?")
        }
        return (seen, change.counts)
    }

    /// What the decision binds to, of a change that was just looked at.
    func seen(_ change: ChangeAnswer) throws -> ChangeDigest {
        if let digest { return digest }
        guard let digest = change.digest else {
            throw Failure(
                .conflict,
                "Change \(id) is already \(change.summary.state.rawValue).",
                next: "plimsoll change show \(id)"
            )
        }
        return digest
    }
}
