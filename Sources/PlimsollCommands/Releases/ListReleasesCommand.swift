import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// `plimsoll release list`.
struct ListReleasesCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the versions of an app that are known to exist.",
        discussion: """
            Examples:
              plimsoll release list --platform ios
              plimsoll release list --app harbour --at 2026-11-01T00:00:00Z
            """
    )

    @Option(help: "One platform (default: all).")
    var platform: Platform?
    @OptionGroup var app: AppOption
    @OptionGroup var moment: MomentOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        try await service.withClient { client in
            let slug = try await app.slug(client)
            let list = try await client.releases(of: slug, on: platform, at: moment.moment)
            let none =
                moment.isLive
                ? "None is known; plimsoll release add makes one known." : "None was known then."
            let blocks: [Report.Block] =
                list.releases.isEmpty ? [.line(none)] : [.table(table(list.releases))]
            output.show(Report(list.json, blocks))
            return .done
        }
    }
}

extension ReleaseAnswer {
    func report(dryRun: Bool) -> Report {
        var json = json
        if dryRun { json["dryRun"] = true }
        return Report(json, [.table(table([release]))])
    }
}

private func table(_ releases: [Release]) -> Table {
    Table(
        ["PLATFORM", "VERSION", "NAME", "BUILD", "NEEDS", "STORE", "LIVE SINCE"],
        releases.map { release in
            [
                release.platform.rawValue, release.version.description,
                release.facts.name?.text ?? "",
                excerpt(release.facts.build?.text ?? "", 20),
                release.facts.system?.description ?? "",
                excerpt(release.facts.store?.text ?? "", 24),
                release.facts.liveSince?.description ?? "",
            ]
        }
    )
}
