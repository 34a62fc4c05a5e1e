import ArgumentParser
import PlimsollAPI
import PlimsollAdmin
import PlimsollDomain

/// `plimsoll block`: a broken version does not run any more, at once and by one person.
struct BlockCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "block",
        abstract: "Keep all versions of the app below one from running, at once.",
        discussion: """
            It raises the minimum of the app as an emergency, shows the effect and asks. Texts \
            that are there stay; missing ones are taken from the app's other texts. Offers of the \
            platform's own for Prince of Versions ask for no less then. Somebody else reviews it \
            afterwards: plimsoll reviews.

            Examples:
              plimsoll block ios --below 3.2.0 --reason "3.1 loses bookings"
              plimsoll block android --below 310 --reason "Crash" --incident INC-731 \\
                --yes --wait
              plimsoll block ios --below 3.2.0 --reason "Drill" --dry-run
            """
    )

    @Argument(help: "The platform.")
    var platform: Platform
    @Option(help: ArgumentHelp("The oldest version that still runs.", valueName: "version"))
    var below: String
    @OptionGroup var emergency: UnnumberedEmergencyOptions
    @OptionGroup var run: EmergencyRun
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let (version, words) = (try version(), try emergency.words())
        let incident = try emergency.reference()
        let edge = try run.check()
        let receipt = try await run.service.withClient { client in
            let slug = try await run.app.slug(client)
            let form = BlockForm(
                platform: platform,
                below: version,
                reason: words,
                incident: incident,
                owner: try await emergency.principal(client)
            )
            return try await run.receipt(
                asking:
                    "Keep versions below \(version) of \(slug) on \(platform.name) from running?",
                inStead: "plimsoll propose --app \(slug) --platform \(platform.rawValue)"
                    + " --set minimumApp.value=\(version) --title \"Block versions below \(version)\""
                    + " --reason \"…\"",
                client,
                output
            ) { options async throws(AdminError) in
                try await client.block(slug, form, options)
            }
        }
        return try await run.finish(receipt, edge, output)
    }

    private func version() throws -> VersionValue {
        let kind = platform.versionKind
        guard let version = VersionValue(written: below, kind) else {
            throw ValidationError(
                "--below is \"\(excerpt(below))\"; on \(platform.name) it needs to be"
                    + " \(kind.grammar)."
            )
        }
        return version
    }
}
