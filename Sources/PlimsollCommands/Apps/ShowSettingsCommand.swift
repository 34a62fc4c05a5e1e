import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll apps settings`: what an app is called, where it is kept and in which languages.
struct ShowSettingsCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "Show the settings of an app, and who made them so.",
        discussion: """
            Examples:
              plimsoll apps settings harbour
              plimsoll apps settings harbour --at 2026-11-21T08:00:00Z
            """
    )

    @Argument(help: "The app; may be left out where there is one app.")
    var app: AppSlug?
    @OptionGroup var moment: MomentOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        try await service.withClient { client in
            let slug = try await AppOption(app: app).slug(client)
            let settings = try await client.settings(of: slug, at: moment.moment)
            output.show(settings.report(await output.people(client)))
            return .done
        }
    }
}
