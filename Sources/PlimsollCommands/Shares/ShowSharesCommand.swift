import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// `plimsoll shares show`.
struct ShowSharesCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the last count of devices on a platform.",
        discussion: "For example: plimsoll shares show ios --json"
    )

    @Argument(help: "The platform of the devices.")
    var platform: Platform
    @OptionGroup var app: AppOption
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        try await service.withClient { client in
            let slug = try await app.slug(client)
            let answer = try await client.versionShares(of: slug, on: platform)
            output.show(answer.report(dryRun: false))
            return .done
        }
    }
}

extension VersionSharesAnswer {
    func report(dryRun: Bool) -> Report {
        var json = json
        if dryRun { json["dryRun"] = true }
        guard !shares.rows.isEmpty else {
            let none = "No devices were counted; plimsoll shares import takes a count."
            return Report(json, [.line(none)])
        }
        let rows = shares.rows.map { row in
            [row.app.description, row.system?.description ?? "any", String(row.devices)]
        }
        return Report(json, [.table(Table(["APP", "OS", "DEVICES"], rows))])
    }
}

extension [BlockedShare] {
    /// What is blocked, for whoever decides.
    var blocks: [Report.Block] {
        map { .line("blocked   \($0.platform.name) \($0.sentence)") }
    }
}
