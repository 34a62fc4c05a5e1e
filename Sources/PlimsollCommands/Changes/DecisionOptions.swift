import ArgumentParser
import PlimsollAPI
import PlimsollDocuments
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

    /// Has the service take the decision on what was seen; `typed` is what was typed of the form, where
    /// that is not all of it.
    func write<Body: Form>(
        _ endpoint: Endpoint<ChangeID, SeenChange, Body, ChangeAnswer>,
        seen: ChangeDigest,
        _ form: Body,
        typed: JSONObject? = nil,
        _ client: AdminClient
    ) async throws -> ChangeAnswer {
        let asked = typedDigest([
            "form": .object(typed ?? form.json), "digest": JSONValue(digest?.hex),
        ])
        return try await submission.write(asked: asked) { options in
            try await client.call(endpoint, id, seen: seen, form, options)
        }
    }

    /// What the decision binds to, of a change that was just looked at.
    ///
    /// Under a key the change may be closed by this very decision: then it is taken once more, and the
    /// service answers as before, or says that the change is closed.
    func seen(_ change: ChangeAnswer) throws -> ChangeDigest {
        if let digest = digest ?? change.digest { return digest }
        guard submission.mayRepeat else {
            throw Failure(
                .conflict,
                "Change \(id) is already \(change.summary.state.rawValue).",
                next: "plimsoll change show \(id)"
            )
        }
        return ChangeDigest(of: change.content)
    }

    /// Shows what the change would be then, asks, has the decision taken, and shows what became of the
    /// change; who names a digest is not asked.
    func decide<Body: Form>(
        _ question: String,
        _ endpoint: Endpoint<ChangeID, SeenChange, Body, ChangeAnswer>,
        seen: ChangeDigest,
        _ form: Body,
        typed: JSONObject? = nil,
        _ client: AdminClient,
        _ output: Output,
        note: (ChangeAnswer) -> String? = { _ in nil }
    ) async throws -> ExitStatus {
        if !submission.dryRun, !confirmation.yes, digest == nil {
            try confirmation.check()
            let dryRun = try await submission.preview { options in
                try await client.call(endpoint, id, seen: seen, form, options)
            }
            if let dryRun { Output.preview(dryRun.blocks(await People(client))) }
            try confirmation.obtain("\(question) change \(id)?")
        }
        let change = try await write(endpoint, seen: seen, form, typed: typed, client)
        output.show(change.report(await output.people(client), dryRun: submission.dryRun))
        submission.note(output, note(change))
        return .done
    }
}
