import ArgumentParser

/// The program: every command hangs below it.
struct Plimsoll: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plimsoll",
        abstract: "Keeps the line below which a mobile app may not sail.",
        discussion: """
            Commands talk to the service at PLIMSOLL_URL (http://127.0.0.1:8080 without it) and \
            show the token in PLIMSOLL_TOKEN; PLIMSOLL_APP names the app where there are \
            several. Results go to standard output, as tables on a \
            terminal and as JSON elsewhere; everything else goes to standard error.

            Force an update with propose --set minimumApp.value=…, or block a version at once as \
            with a kill switch; advise one with recommendedApp. Most commands make a dry run with \
            --dry-run.

            For example: plimsoll get --platform ios
            """,
        groupedSubcommands: [
            CommandGroup(
                name: "Run",
                subcommands: [
                    ServeCommand.self, EdgeCommand.self, WitnessCommand.self, MigrateCommand.self,
                ]
            ),
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
                    DoctorCommand.self, RebuildCommand.self, ExportCommand.self,
                    BackupCommand.self, RestoreCommand.self,
                ]
            ),
        ]
    )
}
