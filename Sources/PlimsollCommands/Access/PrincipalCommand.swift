import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll principal`: people and machines, and what they are called.
struct PrincipalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "principal",
        abstract: "List principals (people and services), suspend them, and take roles away.",
        discussion: "For example: plimsoll principal list",
        subcommands: [
            ListPrincipalsCommand.self, SuspendPrincipalCommand.self,
            ResumePrincipalCommand.self, RevokeRoleCommand.self, EraseNameCommand.self,
        ],
        defaultSubcommand: ListPrincipalsCommand.self
    )
}

/// `plimsoll principal list`.
struct ListPrincipalsCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List everybody whom you may know by name.",
        discussion: "For example: plimsoll principal list"
    )

    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        try await service.withClient { client in
            let list = try await client.principals()
            let rows = list.principals.map { principal in
                [
                    principal.id.text, principal.name.map { excerpt($0, 24) } ?? "(no name)",
                    principal.roles.names, principal.suspension.map { "since \($0.since)" } ?? "",
                ]
            }
            let heads = ["PRINCIPAL", "NAME", "ROLES", "SUSPENDED"]
            output.show(Report(list.json, [.table(Table(heads, rows))]))
            return .done
        }
    }
}

/// `plimsoll principal erase`.
struct EraseNameCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erase the name of a principal, for good.",
        discussion: """
            What they did stays in the record, under their id; the record proves itself as before. \
            Their tokens live on: suspend them first where they are to come in no more. The name \
            also stands in backups, in the file beside each that ends in .names.

            For example: plimsoll principal erase 3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07 --yes
            """
    )

    @Argument(
        help: "The principal's id, as the list shows it.",
        transform: { text in
            guard let id = PrincipalID(text) else {
                throw ValidationError("It needs to be a principal's id.")
            }
            return id
        }
    )
    var id: PrincipalID
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var service: ServiceOptions
    @OptionGroup var submission: SubmissionOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        if !submission.dryRun {
            try confirmation.obtain("Erase the name of \(id) for good?")
        }
        return try await service.withClient { client in
            try await submission.write { options in try await client.eraseName(of: id, options) }
            submission.note(output, "The name is erased.")
            return .done
        }
    }
}
