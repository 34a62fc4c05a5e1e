import ArgumentParser
import PlimsollAPI
import PlimsollDomain

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

    /// Shows the change, asks, and answers the digest that the decision binds to, with the change that
    /// was shown; `nil` where nothing was.
    ///
    /// Who names a digest has seen the change, and is not asked again.
    func seen(
        toDecide verb: String,
        _ client: AdminClient
    ) async throws -> (digest: ChangeDigest, change: ChangeAnswer?) {
        if let digest { return (digest, nil) }
        if !submission.dryRun { try confirmation.check() }
        let change = try await client.call(Endpoints.getChange, id)
        let seen = try seen(change)
        if !submission.dryRun, !confirmation.yes {
            Output.preview(change.blocks(await People(client)))
            try confirmation.obtain("\(verb) change \(id)?")
        }
        return (seen, change)
    }

    /// Has the service take the decision on what was seen; `asked` says what a repetition has in common
    /// with it, where that is not the whole request.
    func write<Body: Form>(
        _ endpoint: Endpoint<ChangeID, SeenChange, Body, ChangeAnswer>,
        seen: ChangeDigest,
        _ form: Body,
        asked: String? = nil,
        _ client: AdminClient
    ) async throws -> ChangeAnswer {
        try await submission.write(asked: asked) { options in
            try await client.call(endpoint, id, seen: seen, form, options)
        }
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

    /// Shows what the change would be then, asks, has the decision taken, and shows what became of the
    /// change; who names a digest is not asked.
    func decide<Body: Form>(
        _ question: String,
        _ endpoint: Endpoint<ChangeID, SeenChange, Body, ChangeAnswer>,
        seen: ChangeDigest,
        _ form: Body,
        _ client: AdminClient,
        _ output: Output,
        note: (ChangeAnswer) -> String? = { _ in nil }
    ) async throws -> ExitStatus {
        if !submission.dryRun, !confirmation.yes, digest == nil {
            try confirmation.check()
            let dryRun = try await client.call(
                endpoint,
                id,
                seen: seen,
                form,
                WriteOptions(.dryRun)
            )
            Output.preview(dryRun.blocks(await People(client)))
            try confirmation.obtain("\(question) change \(id)?")
        }
        let change = try await write(endpoint, seen: seen, form, client)
        output.show(change.report(await output.people(client), dryRun: submission.dryRun))
        submission.note(output, note(change))
        return .done
    }
}
