import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll entry-keys`: what the entries of the log are authenticated with.
struct EntryKeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "entry-keys",
        abstract: "List what entries of the log are authenticated with, and change it.",
        discussion: """
            Every entry of the log carries a code that only the service can make, with a secret that \
            the database does not have. If somebody may have the secret, add another one, which the \
            service makes and keeps in its data directory, and a minute later retire the old one: \
            what is written with it from then on is believed by nobody.

            For example: plimsoll entry-keys
            """,
        subcommands: [
            ListEntryKeysCommand.self, AddEntryKeyCommand.self, RetireEntryKeyCommand.self,
        ],
        defaultSubcommand: ListEntryKeysCommand.self
    )
}

/// `plimsoll entry-keys list`.
struct ListEntryKeysCommand: ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the entry keys, and from which event to which each counts.",
        discussion: "For example: plimsoll entry-keys list"
    )

    @OptionGroup var common: CommonOptions

    func report(_ client: AdminClient, _ output: Output) async throws -> Report {
        let list = try await client.call(Endpoints.listEntryKeys)
        let rows = list.keys.map { key in
            [
                key.id.text, key.added.map { "\($0)" } ?? "",
                key.retired.map { "\($0)" } ?? "in use",
            ]
        }
        return Report(list.json, Table(["KEY", "FROM EVENT", "TO EVENT"], rows).blocks())
    }
}

/// `plimsoll entry-keys add`.
struct AddEntryKeyCommand: FormCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Authenticate entries with a new key from now on.",
        discussion: """
            The service makes it, and keeps it in keys/entries.keys of its data directory, which is \
            to be in a backup of the keys. The key before it counts as well until it is retired.

            For example: plimsoll entry-keys add --reason "Somebody read the backup"
            """
    )

    @Option(help: "Why; it is kept with the event.")
    var reason: String?
    @OptionGroup var writing: WritingOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let form = ReasonForm(reason: try Reason(written: reason))
        let endpoint = Endpoints.addEntryKey
        return try await write(endpoint, { _ in NoNames() }, form, output) { key in
            Receipt(
                [.line("\(key.id): in use")],
                "In a minute, if the old one is to end: plimsoll entry-keys retire OLD"
            )
        }
    }
}

/// `plimsoll entry-keys retire`.
struct RetireEntryKeyCommand: FormCommand {
    static let configuration = CommandConfiguration(
        commandName: "retire",
        abstract: "Believe nothing more that is authenticated with a key.",
        discussion: """
            What was written with it before stays as good as it was. The key in use cannot be retired, \
            nor one that was in use less than a minute ago: other instances may write with it still.

            For example: plimsoll entry-keys retire 0123456789abcdef0123456789abcdef
            """
    )

    @Argument(help: "The key.")
    var id: EntryKeyID
    @Option(help: "Why; it is kept with the event.")
    var reason: String?
    @OptionGroup var writing: WritingOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let form = ReasonForm(reason: try Reason(written: reason))
        return try await write(Endpoints.retireEntryKey, { _ in id }, form, output) { key in
            Receipt([.line("\(key.id): counts up to event \(key.retired.map { "\($0)" } ?? "")")])
        }
    }
}
