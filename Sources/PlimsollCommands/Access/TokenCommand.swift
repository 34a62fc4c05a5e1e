import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll token`: who may come in.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Create, renew, list and revoke access tokens.",
        discussion: "For example: plimsoll token list",
        subcommands: [
            CreateTokenCommand.self, RenewTokenCommand.self, ListTokensCommand.self,
            RevokeTokenCommand.self,
        ]
    )
}

/// `plimsoll token list`.
struct ListTokensCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the tokens that were not revoked.",
        discussion: "For example: plimsoll token list"
    )

    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        try await service.withClient { client in
            let list = try await client.tokens()
            let rows = list.tokens.map { token in
                [
                    token.id.description, token.name.map { excerpt($0, 24) } ?? "(no name)",
                    token.roles.names, token.expiresAt?.rfc3339 ?? "never",
                ]
            }
            output.show(
                Report(list.json, [.table(Table(["TOKEN", "NAME", "ROLES", "EXPIRES"], rows))])
            )
            return .done
        }
    }
}

/// `plimsoll token revoke`.
struct RevokeTokenCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Put an end to a token, at once.",
        discussion: "For example: plimsoll token revoke 3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07 --yes"
    )

    @Argument(help: "The token's id, as the list shows it.")
    var id: TokenID
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var service: ServiceOptions
    @OptionGroup var submission: SubmissionOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        if !submission.dryRun {
            try confirmation.obtain("Revoke the token \(id)?")
        }
        return try await service.withClient { client in
            try await submission.write { options in try await client.revokeToken(id, options) }
            submission.note(output, "The token is dead.")
            return .done
        }
    }
}
