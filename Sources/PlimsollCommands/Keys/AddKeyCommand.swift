import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// `plimsoll keys add`: a key that clients can learn.
struct AddKeyCommand: PlimsollCommand {
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
        ),
        transform: { try named($0, EnvironmentName.grammar, EnvironmentName.init) }
    )
    var environment: EnvironmentName?
    @Option(
        help: ArgumentHelp("A key in AWS KMS.", valueName: "arn"),
        transform: { try named($0, KeyServiceName.grammar, KeyServiceName.init) }
    )
    var kms: KeyServiceName?
    @Option(help: "Why; it is kept with the event.")
    var reason: String?
    @OptionGroup var submission: SubmissionOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if kms != nil, id != nil || environment != nil {
            throw ValidationError("Say --kms, or --id and --environment; KMS has given the id.")
        }
    }

    func execute(_ output: Output) async throws -> ExitStatus {
        let form = KeyForm(place: place, reason: try PlimsollCommands.reason(reason))
        return try await service.withClient { client in
            let slug = try await app.slug(client)
            let key = try await submission.write { options in
                try await client.call(Endpoints.addKey, slug, form, options)
            }
            output.show(key.report(dryRun: submission.dryRun))
            output.note(
                submission.dryRun
                    ? "This was a dry run; nothing was written."
                    : "When clients know it: plimsoll keys activate \(key.id)"
            )
            return .done
        }
    }

    private var place: KeyPlace {
        if let kms { return .service(kms) }
        if let environment { return .environment(environment, id) }
        return id.map(KeyPlace.file) ?? .made
    }
}

private func named<Name>(
    _ text: String,
    _ grammar: String,
    _ make: (String) -> Name?
) throws -> Name {
    guard let name = make(text) else { throw ValidationError("It needs to be \(grammar).") }
    return name
}

extension KeyAnswer {
    func report(dryRun: Bool) -> Report {
        var json = json
        if dryRun { json["dryRun"] = true }
        return Report(json, [.line("\(id) of \(app): \(state.rawValue)")])
    }
}
