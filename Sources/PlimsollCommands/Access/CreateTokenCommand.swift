import ArgumentParser
import Foundation
import PlimsollAPI
import PlimsollDomain

/// `plimsoll token create`: somebody is let in.
struct CreateTokenCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Issue a token; the secret is shown only now.",
        discussion: """
            A role holds for the app behind the @, else for --app, else for all apps. Roles are \
            viewer, proposer, approver, responder, auditor and admin. With --quiet and \
            --format table the secret alone is the result.

            Examples:
              plimsoll token create --name alice --role proposer@harbour
              plimsoll token create --name ci --role proposer --app harbour --expires-in 30d
            """
    )

    @Option(help: "A new principal's name.")
    var name: String?
    @Option(
        help: "A known principal's id.",
        transform: { text in
            guard let id = PrincipalID(text) else {
                throw ValidationError("It needs to be a principal's id.")
            }
            return id
        }
    )
    var principal: PrincipalID?
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("A role; may be repeated.", valueName: "role[@app]")
    )
    var role: [GrantArgument] = []
    @Option(help: "The app that roles without one hold for; all without it.")
    var app: AppSlug?
    @Option(
        help: ArgumentHelp("When it ends, as 2026-12-31 or with a time.", valueName: "time"),
        transform: comingMoment
    )
    var expiresAt: Instant?
    @Option(
        help: ArgumentHelp("How long it lives, such as 12h or 30d.", valueName: "time"),
        transform: { text in
            guard let duration = Duration(written: text) else {
                throw ValidationError("It needs to be \(Duration.grammar).")
            }
            return duration
        }
    )
    var expiresIn: Duration?
    @OptionGroup var service: ServiceOptions
    @OptionGroup var submission: SubmissionOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if (name == nil) == (principal == nil) {
            throw ValidationError("Give a --name for somebody new, or a known --principal.")
        }
        if expiresAt != nil, expiresIn != nil {
            throw ValidationError("Give --expires-at or --expires-in, but not both.")
        }
    }

    func execute(_ output: Output) async throws -> ExitStatus {
        let form = TokenForm(
            name: try name.map { try title($0, "--name") },
            principal: principal,
            roles: role.map { $0.grant(in: app) },
            expiresAt: expiresAt ?? expiresIn.map { Instant.now.advanced(by: $0) }
        )
        return try await service.withClient { client in
            let issued = try await submission.write { options in
                try await client.issueToken(form, options)
            }
            show(issued, output)
            return .done
        }
    }

    private func show(_ issued: IssuedTokenAnswer, _ output: Output) {
        if output.isQuiet, output.format == .table, let secret = issued.secret {
            output.show(bare: legible(secret))
            return
        }
        let token = issued.token
        var lines = [
            "name       \(token.name.map { excerpt($0) } ?? "(no name)")",
            "principal  \(token.principal)",
            "id         \(token.id)",
            "roles      \(token.roles.names)",
            "expires    \(token.expiresAt?.rfc3339 ?? "never")",
        ]
        if let secret = issued.secret { lines.append("token      \(legible(secret))") }
        output.show(Report(issued.json, lines.map(Report.Block.line)))
        switch (submission.dryRun, issued.secret) {
        case (true, _): output.noteRehearsal()
        case (false, nil):
            output.note(
                "This token was made by an earlier request, and its secret cannot be shown again."
                    + " Revoke it and create another."
            )
        case (false, _): output.note("The token is shown this once; keep it safe.")
        }
    }
}

extension Instant {
    /// What the clock of this machine says.
    static var now: Instant { Instant(Date.now) }
}
