import ArgumentParser
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain

/// `plimsoll identity`: the keys that people sign approvals with.
struct IdentityCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "identity",
        abstract: "List the keys that people sign approvals with, add them, and revoke them.",
        discussion: """
            A signed approval is the person's word, and not only the service's: no service can make \
            one up, and anybody can check it years later. A policy can ask for it, with \
            "signedBy": "person". Make a key for it alone, since its public half is published with \
            what it signs:

              ssh-keygen -t ed25519 -f ~/.ssh/plimsoll -C ""

            For example: plimsoll identity list
            """,
        subcommands: [
            ListIdentitiesCommand.self, AddPersonKeyCommand.self, RevokePersonKeyCommand.self,
        ],
        defaultSubcommand: ListIdentitiesCommand.self
    )
}

/// `plimsoll identity list`.
struct ListIdentitiesCommand: ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List whose keys count, of everybody whom you may know.",
        discussion: "For example: plimsoll identity list"
    )

    @OptionGroup var common: CommonOptions

    func report(_ client: AdminClient, _ output: Output) async throws -> Report {
        let list = try await client.call(Endpoints.listPrincipals)
        let signing = PrincipalList(principals: list.principals.filter { !$0.keys.isEmpty })
        let rows = signing.principals.flatMap { principal in
            principal.keys.map { key in
                [
                    principal.name.map { excerpt($0, 24) } ?? principal.id.text,
                    String(key.key.algorithm), key.fingerprint,
                ]
            }
        }
        let none = "Nobody signs with a key; plimsoll identity add --help says how to begin."
        return Report(
            signing.json,
            Table(["WHO", "KIND", "FINGERPRINT"], rows).blocks(none: none)
        )
    }
}

/// `plimsoll identity add`.
struct AddPersonKeyCommand: StandingCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Have what is signed with a key count as signed by somebody.",
        discussion: """
            An administrator adds it, of every place where they have roles. Compare the fingerprint \
            with its owner first, who sees it with ssh-keygen -l: whoever adds a key that is not \
            theirs can approve in their name. They approve none of your work from then on, as \
            nobody does whom you let in.

            For example: plimsoll identity add alice alice.pub
            """
    )

    @OptionGroup var somebody: SomebodyArgument
    @OptionGroup var key: PersonKeyArgument
    @Option(help: "Why; it is kept with the event.")
    var reason: String?
    @OptionGroup var writing: WritingOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let key = try key.key()
        let form = PersonKeyForm(key, reason: try Reason(written: reason))
        return try await change(
            Endpoints.addPersonKey,
            form,
            output,
            "What they sign with \(key.fingerprint) counts from now on."
        )
    }
}

/// `plimsoll identity revoke`.
struct RevokePersonKeyCommand: StandingCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Have a key of somebody count no more, at once.",
        discussion: """
            Its owner may do that, and whoever could add it. What was approved with it does not count \
            any more, as far as it is not decided yet. A revoked key never counts again.

            For example: plimsoll identity revoke alice alice.pub --reason "Laptop stolen" --yes
            """
    )

    @OptionGroup var somebody: SomebodyArgument
    @OptionGroup var key: PersonKeyArgument
    @Option(help: "Why; it is kept with the event.")
    var reason: String?
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var writing: WritingOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let key = try await knownKey()
        let form = PersonKeyForm(key, reason: try Reason(written: reason))
        try confirmation.obtain(
            "Revoke the key \(key.fingerprint) of \(legible(somebody.text))?",
            for: submission
        )
        return try await change(
            Endpoints.revokePersonKey,
            form,
            output,
            "What is signed with \(key.fingerprint) counts no more."
        )
    }

    /// By its fingerprint too: whose machine was stolen has no file left.
    private func knownKey() async throws -> PersonKey {
        guard key.text.hasPrefix("SHA256:") else { return try key.key() }
        let list = try await service.withClient { try await $0.call(Endpoints.listPrincipals) }
        guard
            let known = list.principals.flatMap(\.keys).first(where: { $0.fingerprint == key.text })
        else {
            throw Failure(
                .usage,
                "No key whose owner you may know has the fingerprint \(legible(key.text)).",
                next: "plimsoll identity list"
            )
        }
        return known.key
    }
}

/// A public key of OpenSSH: a file, or what stands in it.
struct PersonKeyArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The public half: a .pub file, or its line; - is standard input.",
            valueName: "key"
        )
    )
    var text: String

    private static let bytesMaximum = 4096

    func key() throws -> PersonKey {
        if let key = PersonKey(text) { return key }
        let bytes = try contents(of: text, upTo: Self.bytesMaximum)
        let line = String(decoding: bytes, as: UTF8.self).prefix { !$0.isNewline }
        guard let key = PersonKey(String(line)) else {
            throw Failure(
                .usage,
                "\(legible(text)) is not \(PersonKey.grammar).",
                next: "ssh-keygen -t ed25519 -f ~/.ssh/plimsoll -C \"\""
            )
        }
        return key
    }
}
