import ArgumentParser
import PlimsollAPI
import PlimsollAdmin
import PlimsollDomain
import PlimsollJSON

/// `plimsoll diff`: what is different between two states.
struct DiffCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compare two states of the documents.",
        discussion: """
            A side is live, event:POSITION, time:TIME or file:PATH. The exit code is 0 where both \
            are the same and 3 where they differ. Two files are compared without a service.

            Examples:
              plimsoll diff event:42 live
              plimsoll diff live file:availability-ios.json --platform ios
              plimsoll diff time:2026-11-21T08:00:00Z live
            """
    )

    @Argument(help: "The earlier side.")
    var before: DiffSide
    @Argument(help: "The later side.")
    var after: DiffSide
    @OptionGroup var service: ServiceOptions
    @OptionGroup var app: AppOption
    @OptionGroup var output: OutputOptions
    @Option(help: "One platform; all of the app's without it, or the one that a file is for.")
    var platform: Platform?

    func execute(_ output: Output) async throws -> ExitStatus {
        let changes = try await changes()
        let json: JSONObject = [
            "before": .string(before.text), "after": .string(after.text),
            "same": .bool(changes.isEmpty), "changes": changes.json,
        ]
        let same = [Report.Block.line("\(before.text) and \(after.text) are the same.")]
        output.show(Report(json, changes.isEmpty ? same : changes.blocks))
        return changes.isEmpty ? .done : .differs
    }

    private func changes() async throws -> [FieldChange] {
        let files = try [before, after].compactMap { side in
            if case .file(let path) = side {
                try DocumentFile(path, platform: platform)
            } else {
                nil
            }
        }
        let platforms = Set(files.map(\.document.platform))
        guard platforms.count <= 1 else {
            throw Failure(.usage, "The two files are for different platforms.")
        }
        if files.count == 2 { return files[0].document.changes(to: files[1].document) }
        return try await service.withClient { client in
            let app = try await app.resolve(client)
            var changes: [FieldChange] = []
            for platform in app.documentPlatforms(platforms.first ?? platform) {
                let file = files.first?.document
                let old = try await document(before, file, of: app, platform, client)
                let new = try await document(after, file, of: app, platform, client)
                changes += old.changes(to: new)
            }
            return changes
        }
    }

    private func document(
        _ side: DiffSide,
        _ file: Document?,
        of app: AppAnswer,
        _ platform: Platform,
        _ client: AdminClient
    ) async throws -> Document {
        guard case .moment(let moment) = side else { return file ?? Document(platform: platform) }
        return try await client.document(of: app.slug, on: platform, at: moment).parsed()
    }
}
