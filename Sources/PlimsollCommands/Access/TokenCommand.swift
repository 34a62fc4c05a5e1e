import ArgumentParser
import Foundation
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

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
struct ListTokensCommand: ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the tokens that were not revoked.",
        discussion: """
            Examples:
              plimsoll token list
              plimsoll token list --since 24h
            """
    )

    @Option(
        help: ArgumentHelp(
            "Leave out what had ended by then, such as 24h (ago), today or 2026-11-21T08:00:00Z.",
            valueName: "time"
        ),
        transform: pastMoment
    )
    var since: Instant?
    @OptionGroup var common: CommonOptions

    func report(_ client: AdminClient, _ output: Output) async throws -> Report {
        let list = try await client.tokens(since: since)
        let rows = list.tokens.map { token in
            [
                token.id.description, token.name.map { excerpt($0, 24) } ?? "(no name)",
                token.roles.names, token.expiresAt?.rfc3339 ?? "never",
            ]
        }
        return Report(list.json, [.table(Table(["TOKEN", "NAME", "ROLES", "EXPIRES"], rows))])
    }
}

/// `plimsoll token revoke`.
struct RevokeTokenCommand: FormCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Put an end to a token, at once.",
        discussion: "For example: plimsoll token revoke 3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07 --yes"
    )

    @Argument(help: "The token's id, as the list shows it.")
    var id: TokenID
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var writing: WritingOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        try confirmation.obtain("Revoke the token \(id)?", for: submission)
        return try await write(Endpoints.revokeToken, { _ in id }, EmptyForm(), output) { _ in
            "The token is dead."
        }
    }
}

/// `plimsoll token create`: somebody is let in.
struct CreateTokenCommand: FormCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Issue a token; the secret is shown only now.",
        discussion: """
            A role holds for the app behind the @, else for --app, else for all apps. Roles are \
            viewer, proposer, approver, responder, auditor and admin. With --quiet and \
            --format table the secret alone is the result.

            Examples:
              plimsoll token create --name alice --role proposer@harbour
              plimsoll token create --name ci --role proposer --app harbour \\
                --expires-in 30d
            """
    )

    @Option(help: "A new principal's name.")
    var name: String?
    @Option(help: "A known principal's id.")
    var principal: PrincipalID?
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("A role; may be repeated.", valueName: "role[@app]")
    )
    var role: [GrantArgument] = []
    @Option(help: "The app that roles without one hold for; all without it.")
    var app: AppSlug?
    @Option(
        help: ArgumentHelp("When it ends, as 2027-06-30 or with a time.", valueName: "time"),
        transform: TypedMoment.coming
    )
    var expiresAt: TypedMoment?
    @Option(help: ArgumentHelp("How long it lives, such as 12h or 30d.", valueName: "time"))
    var expiresIn: Duration?
    @OptionGroup var writing: WritingOptions

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
            name: try Title(written: name, "--name"),
            principal: principal,
            roles: role.map { $0.grant(in: app) },
            expiresAt: expiresAt?.instant ?? expiresIn.map { Instant.now.advanced(by: $0) }
        )
        return try await service.withClient { client in
            let issued = try await submission.write(asked: asked(form)) { options in
                try await client.call(Endpoints.issueToken, form, options)
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
            let report = Report(issued.json, lines: lines, dryRun: submission.dryRun)
            try output.show(report, orAlone: issued.secret)
            guard submission.dryRun || issued.secret != nil else {
                throw IssuedTokenAnswer.lost(
                    "Revoke it and create another.",
                    next: "plimsoll token revoke \(token.id)"
                )
            }
            submission.note(output, "The token is shown this once; keep it safe.")
            return .done
        }
    }

    /// What was typed, but for the name: no digest of what may be erased is kept.
    private func asked(_ form: TokenForm) -> String {
        var typed = form.json
        typed["name"] = nil
        typed["expiresAt"] = JSONValue(expiresAt?.text)
        typed["expiresIn"] = expiresIn.map { .integer($0.milliseconds) } ?? .null
        return typedDigest(typed)
    }
}

extension Instant {
    /// What the clock of this machine says.
    static var now: Instant { Instant(Date.now) }
}

/// `plimsoll token renew`: a new secret before the old one ends.
struct RenewTokenCommand: FormCommand {
    static let configuration = CommandConfiguration(
        commandName: "renew",
        abstract: "Make a new token of the one you show, for the same principal.",
        discussion: """
            The new one lives as long as the old one was to live when it was made, 90 days at most; \
            the old one ends within ten minutes. With --quiet and --format table the secret alone is \
            the result; with --into it is in a file that only you may read, and nowhere else.

            Examples:
              plimsoll token renew --into ~/.config/plimsoll/token
              plimsoll token renew --expires-in 12h
            """
    )

    @Option(help: ArgumentHelp("How long it is to live, such as 12h or 30d.", valueName: "time"))
    var expiresIn: Duration?
    @Option(
        help: ArgumentHelp(
            "A file to keep the new token in; what is there goes.",
            valueName: "file"
        )
    )
    var into: String?
    @OptionGroup var writing: WritingOptions

    func validate() throws { try refuseEmpty(into, "--into") }

    func execute(_ output: Output) async throws -> ExitStatus {
        let form = RenewalForm(expiresAt: expiresIn.map { Instant.now.advanced(by: $0) })
        // Where it cannot be kept it is not made.
        let file = try submission.dryRun ? nil : into.map(SecretFile.init)
        return try await service.withClient { client in
            let old = try? await client.call(Endpoints.getIdentity)
            let asked = typedDigest([
                "expiresIn": expiresIn.map { .integer($0.milliseconds) } ?? .null
            ])
            let issued = try await submission.write(asked: asked) { options in
                try await client.call(Endpoints.renewToken, form, options)
            }
            if let file, let secret = issued.secret { try file.keep(secret) }
            try show(issued, isKept: file != nil, output)
            guard submission.dryRun || issued.secret != nil else { throw lost }
            if let old, old.administersForEver, !submission.dryRun { noteEnd(of: issued, output) }
            return .done
        }
    }

    private var lost: Failure {
        let old = into.map { "\(legible($0)) is as it was. " } ?? ""
        return IssuedTokenAnswer.lost(
            "\(old)Renew the old one once more while it lives, under another key.",
            next: "plimsoll token renew" + (into.map { " --into \(legible($0))" } ?? "")
        )
    }

    /// Who keeps one token for emergencies may not expect that it ends.
    private func noteEnd(of issued: IssuedTokenAnswer, _ output: Output) {
        guard let end = issued.token.expiresAt else { return }
        output.note(
            "The old one had no end, and this one ends on \(end). See to it that somebody else"
                + " administers everything then: plimsoll token create --name … --role admin"
                + " --expires-at …"
        )
    }

    private func show(
        _ issued: IssuedTokenAnswer,
        isKept: Bool,
        _ output: Output
    ) throws(Failure) {
        let shown = IssuedTokenAnswer(token: issued.token, secret: isKept ? nil : issued.secret)
        var lines = [
            "id       \(issued.token.id)",
            "expires  \(issued.token.expiresAt?.rfc3339 ?? "never")",
        ]
        if let secret = shown.secret { lines.append("token    \(legible(secret))") }
        let report = Report(shown.json, lines: lines, dryRun: submission.dryRun)
        try output.show(report, orAlone: shown.secret)
        let place = into.map { "It is in \(legible($0))" } ?? "It is shown this once"
        if issued.secret != nil {
            submission.note(output, "\(place); the old one ends within ten minutes.")
        } else if submission.dryRun {
            submission.note(output)
        }
    }
}

extension IssuedTokenAnswer {
    /// A secret that nobody has is no success, though the request was repeated by the client itself.
    fileprivate static func lost(_ remedy: String, next: String) -> Failure {
        Failure(
            .failed,
            "This token was made by an earlier request, and its secret cannot be shown again.",
            detail: remedy,
            next: next
        )
    }
}

/// A file for a secret, readable by its owner alone.
private struct SecretFile {
    private let file: URL

    /// Finds out whether a secret could be kept, before there is one.
    init(_ path: String) throws {
        file = URL(fileURLWithPath: path)
        let place = legible(path)
        guard !file.hasDirectoryPath else {
            throw Failure(.failed, "\(place) is a folder; --into needs a file.")
        }
        // What a link leads to, or a device, is not replaced.
        guard kind == nil || kind == .typeRegular else {
            throw Failure(.failed, "\(place) is no plain file; --into needs one, or a new name.")
        }
        let probe = file.deletingLastPathComponent().appendingPathComponent(".\(UUID().uuidString)")
        do {
            try Data(count: 256).write(to: probe, options: .atomic)
            try FileManager.default.removeItem(at: probe)
        } catch {
            throw Failure(.failed, "\(place) cannot be written.")
        }
    }

    /// What is there, links not followed.
    private var kind: FileAttributeType? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        return attributes?[.type] as? FileAttributeType
    }

    /// In one step: whoever reads meanwhile, or dies here, has the old secret or the new one; where another
    /// disk is mounted at the file it is written over.
    func keep(_ secret: String) throws {
        // The new file is its owner's from its beginning.
        umask(0o077)
        do {
            if kind != nil { try makePrivate() }
            try Data((secret + "\n").utf8).write(to: file, options: .atomic)
            try makePrivate()
        } catch {
            // It exists, so it is better shown than lost.
            throw Failure(
                .failed,
                "The token was renewed, and \(legible(file.path)) could not be written: keep it yourself.",
                detail: secret
            )
        }
    }

    /// A folder may have its own rules for the modes of new files, and what is written over keeps its mode.
    private func makePrivate() throws {
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        guard attributes[.posixPermissions] as? Int != 0o600 else { return }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    }
}

extension IdentityAnswer {
    /// Whether the token lets its owner administer everything until it is revoked.
    fileprivate var administersForEver: Bool {
        expiresAt == nil && roles.permit(.admin, in: .all)
    }
}
