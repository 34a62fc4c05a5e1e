import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll keys`: the signing keys and their life.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "List the signing keys, and add, activate or retire one.",
        discussion: """
            A key is added, so that clients can learn it, activated beside those that sign \
            already, and retired when no phone knows it alone any more. While several are active \
            everything is signed with each of them, and phones that know only one find its \
            signature at /distribution/APP/keys/KEY/.

            For example: plimsoll keys
            """,
        subcommands: [
            ListKeysCommand.self, ShowKeyCommand.self, AddKeyCommand.self,
            ActivateKeyCommand.self, RetireKeyCommand.self, CompromiseKeyCommand.self,
        ] + serverCommands,
        defaultSubcommand: ListKeysCommand.self
    )
}

#if SERVER
    private var serverCommands: [any ParsableCommand.Type] { [CopyKeysCommand.self] }
#else
    private var serverCommands: [any ParsableCommand.Type] { [] }
#endif

/// `plimsoll keys list`.
struct ListKeysCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the signing keys.",
        discussion: "For example: plimsoll keys list"
    )

    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        try await service.withClient { client in
            let list = try await client.call(Endpoints.listKeys)
            let rows = list.keys.map { [$0.id.text, $0.app.text, $0.state.rawValue] }
            let table = Report.Block.table(Table(["KEY", "APP", "STATE"], rows))
            output.show(Report(list.json, rows.isEmpty ? [.line("There is none.")] : [table]))
            return .done
        }
    }
}

/// `plimsoll keys show`.
struct ShowKeyCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a public key as PEM, for openssl and for apps to pin.",
        discussion: """
            For example:
              plimsoll keys show 3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07 --format table > key.pem
            """
    )

    @Argument(help: "The key's id.")
    var id: KeyID
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        try await service.withClient { client in
            let key = try await client.call(Endpoints.getKey, id)
            let lines = key.publicKey.split(separator: "\n").map { Report.Block.line(legible($0)) }
            output.show(Report(key.json, lines))
            return .done
        }
    }
}
