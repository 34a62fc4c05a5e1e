import ArgumentParser
import Foundation
import PlimsollAPI
import PlimsollDomain

/// `plimsoll principal suspend`.
struct SuspendPrincipalCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "suspend",
        abstract: "Refuse all tokens of somebody, at once, until they are resumed.",
        discussion: """
            What they approved does not count any more, also after they are resumed; what they \
            proposed stays open. The answer names tokens of others whose secrets they have seen, \
            because they issued them.

            For example: plimsoll principal suspend mallory --reason "Laptop stolen" --yes
            """
    )

    @OptionGroup var somebody: SomebodyArgument
    @Option(help: "Why; it is kept with the event, and shown with what counts no more.")
    var reason: String
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var service: ServiceOptions
    @OptionGroup var submission: SubmissionOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        guard let words = try PlimsollCommands.reason(reason) else { return .usage }
        if !submission.dryRun {
            try confirmation.obtain("Refuse all tokens of \(legible(somebody.text)), at once?")
        }
        return try await service.withClient { client in
            let people = await People(client)
            let id = try somebody.resolve(people)
            let standing = try await submission.write { options in
                try await client.suspend(id, SuspensionForm(reason: words), options)
            }
            output.show(standing.report(people))
            submission.note(output, "Every token of theirs is refused from now on.")
            return .done
        }
    }
}

/// `plimsoll principal resume`.
struct ResumePrincipalCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Let somebody act again who was suspended.",
        discussion: """
            Their tokens are taken again, unless they were revoked or have expired meanwhile: revoke \
            first those that somebody else may have.

            For example: plimsoll principal resume mallory --reason "New laptop"
            """
    )

    @OptionGroup var somebody: SomebodyArgument
    @Option(help: "Why; it is kept with the event.")
    var reason: String?
    @OptionGroup var service: ServiceOptions
    @OptionGroup var submission: SubmissionOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let form = ReasonForm(reason: try PlimsollCommands.reason(reason))
        return try await service.withClient { client in
            let people = await People(client)
            let id = try somebody.resolve(people)
            let standing = try await submission.write { options in
                try await client.resume(id, form, options)
            }
            output.show(standing.report(people))
            submission.note(output, "Their tokens are taken again.")
            return .done
        }
    }
}

/// `plimsoll principal revoke-role`.
struct RevokeRoleCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke-role",
        abstract: "Take a role away from somebody, at once.",
        discussion: """
            A role holds for the app behind the @, else for --app, else for all apps: name it as the \
            list shows it. What they approved with it does not count any more. Whom they let in is \
            not forgotten: they still approve no work of those.

            For example: plimsoll principal revoke-role mallory approver@harbour --yes
            """
    )

    @OptionGroup var somebody: SomebodyArgument
    @Argument(help: ArgumentHelp("The role.", valueName: "role[@app]"))
    var role: GrantArgument
    @Option(help: "The app that a role without one holds for; all without it.")
    var app: AppSlug?
    @Option(help: "Why; it is kept with the event, and shown with what counts no more.")
    var reason: String?
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var service: ServiceOptions
    @OptionGroup var submission: SubmissionOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let grant = role.grant(in: app)
        let form = RoleRevocationForm(grant, reason: try PlimsollCommands.reason(reason))
        if !submission.dryRun {
            try confirmation.obtain(
                "Take the role \([grant].names) away from \(legible(somebody.text))?"
            )
        }
        return try await service.withClient { client in
            let people = await People(client)
            let id = try somebody.resolve(people)
            let standing = try await submission.write { options in
                try await client.revokeRole(of: id, form, options)
            }
            output.show(standing.report(people))
            submission.note(output, "They have the role no more.")
            return .done
        }
    }
}

/// Somebody by name or by id.
struct SomebodyArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("Who: a name or an id, as the list shows them.", valueName: "who"))
    var text: String

    func resolve(_ people: People) throws -> PrincipalID {
        let found = people.principals(named: text)
        guard let id = found.first, found.count == 1 else {
            let what = found.isEmpty ? "Nobody" : "More than one principal"
            throw Failure(
                .usage,
                "\(what) whom you may know is called \(legible(text)).",
                next: "plimsoll principal list"
            )
        }
        return id
    }
}

extension PrincipalStandingAnswer {
    fileprivate func report(_ people: People) -> Report {
        var lines = [
            "name       \(principal.name.map { excerpt($0) } ?? "(no name)")",
            "principal  \(principal.id)",
            "roles      \(principal.roles.names)",
        ]
        if let suspension = principal.suspension {
            lines.append("suspended  \(suspension.line(people))")
        }
        lines += tokensOfOthers.map { token in
            let name = token.name.map { excerpt($0, 24) } ?? token.principal.text
            return "has seen   the secret of token \(token.id), of \(name)"
        }
        return Report(json, lines.map(Report.Block.line))
    }
}

extension SuspensionAnswer {
    fileprivate func line(_ people: People) -> String {
        "by \(people.name(by)), \(since)" + (reason.map { ": \(excerpt($0.text, 400))" } ?? "")
    }
}
