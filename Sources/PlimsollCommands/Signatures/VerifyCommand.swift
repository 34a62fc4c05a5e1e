import ArgumentParser

/// `plimsoll verify`: trust nothing that was not checked.
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check a signed document, a snapshot, or the whole log.",
        discussion: """
            What does not verify ends with exit code 8.

            For example: plimsoll verify url \
            http://127.0.0.1:8081/distribution/availability-ios --key key.pem
            """,
        subcommands: [VerifyDocumentCommand.self, VerifyURLCommand.self] + serverCommands
    )
}

#if SERVER
    private var serverCommands: [any ParsableCommand.Type] {
        [VerifySnapshotCommand.self, VerifyLogCommand.self]
    }
#else
    private var serverCommands: [any ParsableCommand.Type] { [] }
#endif
