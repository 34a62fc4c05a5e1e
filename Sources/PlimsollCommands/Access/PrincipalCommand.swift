import ArgumentParser
import Foundation
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

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
struct ListPrincipalsCommand: ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List everybody whom you may know by name.",
        discussion: "For example: plimsoll principal list"
    )

    @OptionGroup var common: CommonOptions

    func report(_ client: AdminClient, _ output: Output) async throws -> Report {
        let list = try await client.call(Endpoints.listPrincipals)
        let rows = list.principals.map { principal in
            [
                principal.id.text, principal.name.map { excerpt($0, 24) } ?? "(no name)",
                principal.roles.names, principal.suspension.map { "since \($0.at)" } ?? "",
            ]
        }
        let heads = ["PRINCIPAL", "NAME", "ROLES", "SUSPENDED"]
        return Report(list.json, [.table(Table(heads, rows))])
    }
}

/// `plimsoll principal erase`.
struct EraseNameCommand: FormCommand {
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

    @Argument(help: "The principal's id, as the list shows it.")
    var id: PrincipalID
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var writing: WritingOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        try confirmation.obtain("Erase the name of \(id) for good?", for: submission)
        return try await write(Endpoints.eraseName, { _ in id }, EmptyForm(), output) { _ in
            "The name is erased."
        }
    }
}

/// `plimsoll principal suspend`.
struct SuspendPrincipalCommand: StandingCommand {
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
    @OptionGroup var writing: WritingOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let form = MandatoryReasonForm(reason: try Reason(written: reason))
        try confirmation.obtain(
            "Refuse all tokens of \(legible(somebody.text)), at once?",
            for: submission
        )
        return try await change(
            Endpoints.suspendPrincipal,
            form,
            output,
            "Every token of theirs is refused from now on."
        )
    }
}

/// `plimsoll principal resume`.
struct ResumePrincipalCommand: StandingCommand {
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
    @OptionGroup var writing: WritingOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let form = ReasonForm(reason: try Reason(written: reason))
        let done = "Their tokens are taken again."
        return try await change(Endpoints.resumePrincipal, form, output, done)
    }
}

/// `plimsoll principal revoke-role`.
struct RevokeRoleCommand: StandingCommand {
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
    @OptionGroup var writing: WritingOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let grant = role.grant(in: app)
        let form = RoleRevocationForm(grant, reason: try Reason(written: reason))
        try confirmation.obtain(
            "Take the role \([grant].names) away from \(legible(somebody.text))?",
            for: submission
        )
        return try await change(Endpoints.revokeRole, form, output, "They have the role no more.")
    }
}

/// A command that changes what somebody may do, and shows how they stand then.
protocol StandingCommand: FormCommand {
    var somebody: SomebodyArgument { get }
}

extension StandingCommand {
    func change<Body: Form>(
        _ endpoint: Write<PrincipalID, Body, PrincipalStandingAnswer>,
        _ form: Body,
        _ output: Output,
        _ done: String
    ) async throws -> ExitStatus {
        try await service.withClient { client in
            let people = await People(client)
            let id = try somebody.resolve(people)
            let standing = try await submission.write { options in
                try await client.call(endpoint, id, form, options)
            }
            output.show(standing.report(people, dryRun: submission.dryRun))
            submission.note(output, done)
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
    fileprivate func report(_ people: People, dryRun: Bool) -> Report {
        var lines = [
            "name       \(principal.name.map { excerpt($0) } ?? "(no name)")",
            "principal  \(principal.id)",
            "roles      \(principal.roles.names)",
        ]
        if let suspension = principal.suspension {
            lines.append("suspended  \(suspension.line(people))")
        }
        lines += principal.keys.map { "signs with \($0.fingerprint)" }
        lines += tokensOfOthers.map { token in
            let name = token.name.map { excerpt($0, 24) } ?? token.principal.text
            return "has seen   the secret of token \(token.id), of \(name)"
        }
        return Report(json, lines: lines, dryRun: dryRun)
    }
}

extension Suspension {
    fileprivate func line(_ people: People) -> String {
        "by \(people.name(by)), \(at)" + (reason.map { ": \(excerpt($0.text, 400))" } ?? "")
    }
}

/// `plimsoll whoami`: whose token this is.
struct WhoamiCommand: ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "whoami",
        abstract: "Show whose token this is, and what they may do.",
        discussion: "For example: plimsoll whoami"
    )

    @OptionGroup var common: CommonOptions

    func report(_ client: AdminClient, _ output: Output) async throws -> Report {
        let identity = try await client.call(Endpoints.getIdentity)
        let lines = [
            "name       \(identity.name.map { excerpt($0) } ?? "(no name)")",
            "principal  \(identity.principal)",
            "token      \(identity.token?.description ?? "")",
            "expires    \(identity.expiresAt?.rfc3339 ?? "never")",
            "roles      \(identity.roles.names)",
        ]
        return Report(identity.json, lines: lines)
    }
}

extension [RoleGrant] {
    /// Such as `proposer@harbour, viewer`; without an app a role holds for all.
    var names: String {
        map { grant in
            switch grant.scope {
            case .app(let slug): "\(grant.role.rawValue)@\(slug)"
            case .all: grant.role.rawValue
            }
        }.joined(separator: ", ")
    }
}

/// A role as it is written on the command line: `viewer`, or `proposer@harbour`.
struct GrantArgument: ArgumentValue, Equatable {
    let role: Role
    let app: AppSlug?

    static let grammar = "\(oneOf(Role.self)), or one for an app, as in proposer@harbour"

    init?(argument: String) {
        let parts = argument.split(separator: "@", omittingEmptySubsequences: false).map(
            String.init
        )
        guard (1...2).contains(parts.count), let role = Role(rawValue: parts[0]) else {
            return nil
        }
        self.role = role
        guard parts.count == 2 else {
            app = nil
            return
        }
        guard let slug = AppSlug(parts[1]) else { return nil }
        app = slug
    }

    /// The role holds for the app it names, else for the usual one, else for all.
    func grant(in usual: AppSlug?) -> RoleGrant {
        RoleGrant(role, in: (app ?? usual).map(Scope.app) ?? .all)
    }
}

/// The names of principals, as far as the caller may know them.
struct People {
    private var names: [PrincipalID: String] = [:]

    /// Nobody's name.
    init() {}

    /// Names are a convenience: where they cannot be had, ids are shown.
    init(_ client: AdminClient) async {
        let principals = (try? await client.call(Endpoints.listPrincipals))?.principals ?? []
        for principal in principals { names[principal.id] = principal.name }
    }

    func name(_ id: PrincipalID) -> String {
        if id == .system { return "plimsoll" }
        return names[id].map { excerpt($0, 24) } ?? id.text
    }

    /// A sentence of the record, with names in place of the ids of those who are known.
    func naming(in sentence: String) -> String {
        sentence.naming { id in names[id].map { excerpt($0, 24) } }
    }

    /// The principals that the text names, by name or by id.
    func principals(named text: String) -> [PrincipalID] {
        if let id = PrincipalID(text) { return [id] }
        return names.filter { $0.value == text }.map(\.key).sorted { $0.text < $1.text }
    }

    /// The same for several names, of which each has to be somebody's.
    func principals(named texts: [String]) throws -> [PrincipalID] {
        try texts.flatMap { text in
            let found = principals(named: text)
            guard !found.isEmpty else {
                throw Failure(
                    .failed,
                    "There is nobody called \"\(legible(text))\" whose name you may see.",
                    next: "plimsoll principal list"
                )
            }
            return found
        }
    }
}

extension Output {
    /// The names that a table shows; JSON has ids, so nobody is asked for names there.
    func people(_ client: AdminClient) async -> People {
        format == .table ? await People(client) : People()
    }
}
