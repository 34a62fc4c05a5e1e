import ArgumentParser
import PlimsollAPI

/// The program: every command hangs below it.
struct Plimsoll: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plimsoll",
        abstract: "Decide which versions of a mobile app may still run.",
        discussion: """
            Commands talk to the service at PLIMSOLL_URL (http://127.0.0.1:8080 without it) and \
            show the token in PLIMSOLL_TOKEN; PLIMSOLL_APP names the app where there are \
            several. Results go to standard output, as tables on a \
            terminal and as JSON elsewhere; everything else goes to standard error.

            Force update: plimsoll propose --set ios.minimumApp=3.2.0 --title "3.2.0"; recommendedApp \
            only recommends one. Kill switch: plimsoll block. Rollout at a set time: propose --at. Undo: \
            plimsoll revert, plimsoll rollback. Remote config as phones read it: plimsoll get. \
            Commands that change something at the service make a dry run with --dry-run.

            For example: plimsoll get --platform ios
            """,
        version: "plimsoll \(ProgramVersion.text)",
        groupedSubcommands: serverGroups + [
            CommandGroup(
                name: "Change what phones read",
                subcommands: [
                    ProposeCommand.self, ImportCommand.self, OffersCommand.self,
                    ChangesCommand.self, ChangeCommand.self,
                ]
            ),
            CommandGroup(
                name: "Incidents",
                subcommands: [
                    BlockCommand.self, RevertCommand.self, RollbackCommand.self,
                    EmergencyCommand.self,
                    FreezeCommand.self, ReviewsCommand.self,
                ]
            ),
            CommandGroup(
                name: "Look",
                subcommands: [
                    GetCommand.self, BlameCommand.self, DiffCommand.self, SimulateCommand.self,
                    HistoryCommand.self, VerifyCommand.self,
                ]
            ),
            CommandGroup(
                name: "Administer",
                subcommands: [
                    AppsCommand.self, ReleaseCommand.self, SharesCommand.self,
                    MarketplaceCommand.self, PolicyCommand.self, KeysCommand.self,
                    EntryKeysCommand.self, TokenCommand.self, SessionCommand.self,
                    PrincipalCommand.self,
                    IdentityCommand.self,
                    WebhookCommand.self, WhoamiCommand.self, DoctorCommand.self,
                ] + recordCommands
            ),
        ]
    )
}

#if SERVER
    private var serverGroups: [CommandGroup] {
        [
            CommandGroup(
                name: "Run",
                subcommands: [
                    ServeCommand.self, EdgeCommand.self, WitnessCommand.self, MigrateCommand.self,
                ]
            )
        ]
    }

    /// What works on the database itself, or with a whole log.
    private var recordCommands: [any ParsableCommand.Type] {
        [
            RebuildCommand.self, ExportCommand.self, BackupCommand.self, RestoreCommand.self,
            DivergedCommand.self, CutCommand.self,
        ]
    }
#else
    private var serverGroups: [CommandGroup] { [] }
    private var recordCommands: [any ParsableCommand.Type] { [] }
#endif

/// The executable, as far as it is more than its name.
package enum Program {
    /// Runs the command that the arguments name, and says how it ended.
    package static func run(_ arguments: [String]) async -> Int32 {
        do {
            try refuseUnknownCommand(arguments)
            let command = try Plimsoll.parseAsRoot(expanded(arguments))
            try await run(command)
            return ExitStatus.done.rawValue
        } catch let failure as Failure {
            Channel.standardError.write(failure.lines)
            return failure.status.rawValue
        } catch {
            return end(with: error, arguments)
        }
    }

    /// Runs what was parsed; every error that is foreseen becomes a failure.
    private static func run(_ command: sending any ParsableCommand) async throws {
        do {
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                var command = command
                try command.run()
            }
        } catch let error as AdminError {
            throw Failure(error)
        } catch let error as ValidationError {
            throw Failure(.usage, error.message)
        }
    }

    /// What the parser of arguments has to say: help, a version, or what is wrong with them.
    private static func end(with error: any Error, _ arguments: [String]) -> Int32 {
        // It proposes whatever looks alike; nobody is to confirm something by a slip.
        var message = Plimsoll.fullMessage(for: error)
            .replacing(" Did you mean '--yes'?", with: "")
        // Nor are lines in what it quotes to look like its own, or to hide it.
        for value in arguments.flatMap({ $0.split(separator: "=", maxSplits: 1) })
        where value.utf8.count > 200 || value.contains(where: \.isNewline) {
            message = message.replacing(value, with: excerpt(String(value), 200))
        }
        let code = Plimsoll.exitCode(for: error)
        if !message.isEmpty {
            // It quotes what was given, and that may come from anywhere.
            let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
            (code.isSuccess ? Channel.standardOutput : .standardError).write(lines.map(legible))
        }
        return code == .validationFailure ? ExitStatus.usage.rawValue : code.rawValue
    }
}

/// The time that `--wait` without a value means.
let waitUsual = "30s"

/// Gives an option that may stand without a value the value it then means.
///
/// The parser knows options with a value and flags without; `--wait` may be either, so that a
/// responder has nothing to look up.
func expanded(_ arguments: [String]) -> [String] {
    var expanded: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
        if argument == "--" { return expanded + [argument] + rest }
        let hasValue = rest.first.map { Duration(written: $0) != nil } ?? false
        expanded.append(argument == "--wait" && !hasValue ? "--wait=\(waitUsual)" : argument)
    }
    return expanded
}

extension Duration {
    /// Reads `500ms`, `30s`, `5m`, `12h` and `30d`.
    init?(written text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int64(digits), (1...9).contains(digits.count) else { return nil }
        switch text.dropFirst(digits.count) {
        case "ms": self = .milliseconds(number)
        case "s": self = .seconds(number)
        case "m": self = .seconds(number * 60)
        case "h": self = .seconds(number * 3600)
        case "d": self = .seconds(number * 86_400)
        default: return nil
        }
    }
}
