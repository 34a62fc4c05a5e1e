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
            Commands that change something make a dry run with --dry-run.

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
                    PolicyCommand.self, KeysCommand.self, TokenCommand.self,
                    PrincipalCommand.self, WebhookCommand.self, WhoamiCommand.self,
                    DoctorCommand.self,
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
        [RebuildCommand.self, ExportCommand.self, BackupCommand.self, RestoreCommand.self]
    }
#else
    private var serverGroups: [CommandGroup] { [] }
    private var recordCommands: [any ParsableCommand.Type] { [] }
#endif
