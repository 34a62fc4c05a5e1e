import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollMarketplace

/// `plimsoll marketplace explain`: why a device gets what it gets.
struct ExplainCommand: ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Show what a device would be told of an app, and why of no newer version.",
        discussion: """
            It says what restore and updates would answer, by what is live, or with --event and --at \
            by what was, with --change and --after-rollback by what would be; and of each version that \
            is known and newer than the installed one why the device does not get it.

            Examples:
              plimsoll marketplace explain tidewater --item 10737747186 \\
                --installed 878123456700 \\
                --os 17.4
              plimsoll marketplace explain tidewater --item 10737747186 --os 17.4 \\
                --change 17
              plimsoll marketplace explain tidewater --item 10737747186 --os 26 \\
                --after-rollback event:42
            """
    )

    @Argument(help: "The app that the marketplace is; may be left out where there is one app.")
    var marketplace: AppSlug?
    @Option(help: "The AppleItemID of the app.")
    var item: AppleItemID
    @Option(help: "The AppleVersionID on the device; none without it.")
    var installed: AppleVersionID?
    @Option(help: "The version of its system.")
    var os: AppleVersion
    @Option(help: "Its platform (default: ios).")
    var platform: PackagePlatform?
    @OptionGroup var outlook: OutlookOptions
    @OptionGroup var moment: MomentOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if outlook.state != nil, !moment.isLive {
            throw ValidationError(
                "--change and --after-rollback begin at what is live; leave out --at and --event."
            )
        }
    }

    func report(_ client: AdminClient, _ output: Output) async throws -> Report {
        let slug = try await AppOption(app: marketplace).slug(client)
        var query = [
            (name: "item", value: item.text), ("os", os.written),
            ("in", (outlook.state ?? moment.state).text),
        ]
        if let installed { query.append(("installed", installed.text)) }
        if let platform { query.append(("platform", platform.text)) }
        let answer = try await client.call(Endpoints.explainInstallation, slug, query)
        return Report(answer.json, answer.blocks)
    }
}

extension ExplanationAnswer {
    fileprivate var blocks: [Report.Block] {
        let device = explanation.device
        var lines = [
            "\(marketplace), \(app.map { "\($0) as " } ?? "")\(explanation.item) on"
                + " \(device.platform) \(device.system.written), event \(position)"
        ]
        if let restore = explanation.restore { lines.append("restore  \(restore.sentence)") }
        lines.append("updates  \(explanation.updates.sentence)")
        let rows = explanation.newer.map { version in
            [
                version.version.text, excerpt(version.shortVersion?.text ?? "", 20),
                version.standing.rawValue, version.sentence,
            ]
        }
        let awaited = explanation.awaited.map {
            "Package \($0) was announced, and nobody has fetched it yet."
        }
        let hint =
            "Devices ask for updates by themselves at most once in \(explanation.hours) hours, and"
            + " whenever a person does."
        let none = "No newer version is known."
        return lines.map(Report.Block.line)
            + Table(["NEWER", "SHORT", "STANDING", "BECAUSE"], rows).blocks(none: none)
            + (awaited + [hint]).map(Report.Block.line)
    }
}
