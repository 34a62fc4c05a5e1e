import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// `plimsoll apps default`: another app stands at the addresses without a name.
struct DefaultAppCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "default",
        abstract: "Have an app's documents stand at the addresses without an app's name.",
        discussion: """
            Phones that ask for /distribution/availability-ios are given the documents of the \
            default app, which is the first one that was registered. This makes another app the \
            default one, at once. It takes an administrator of all apps.

            It shows which addresses give another document, and asks; --dry-run only shows it. \
            Every app signs with keys of its own: phones that trust only those of the app before \
            refuse what they are given then, and keep what they have. Addresses with an app's name \
            stay as they are. To go back, choose the app before again.

            Examples:
              plimsoll apps default ferry --dry-run
              plimsoll apps default ferry --reason "The sample is not needed any more"
            """
    )

    @Argument(help: "The app that is to be the default one.")
    var app: AppSlug
    @Option(
        help: ArgumentHelp(
            "The default app as it was seen; refused if it is another by now.",
            valueName: "app"
        )
    )
    var from: AppSlug?
    @Option(help: "Why; it is kept with the event.")
    var reason: String?
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var submission: SubmissionOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let reason = try PlimsollCommands.reason(reason)
        if !submission.dryRun { try confirmation.check() }
        return try await service.withClient { client in
            let form = DefaultAppForm(from: try await seen(client), reason: reason)
            if !submission.dryRun, !confirmation.yes {
                let rehearsal = try await client.chooseDefault(app, form, WriteOptions(.dryRun))
                output.preview(rehearsal.blocks)
                try confirmation.obtain("Give phones the documents of \(app) there?")
            }
            let answer = try await submission.write { options in
                try await client.chooseDefault(app, form, options)
            }
            var json = answer.json
            if submission.dryRun { json["dryRun"] = true }
            output.show(Report(json, answer.blocks))
            submission.note(output)
            return .done
        }
    }

    private func seen(_ client: AdminClient) async throws -> AppSlug? {
        if let from { return from }
        return try await client.apps().apps.first(where: \.isDefault)?.slug
    }
}

extension DefaultAppAnswer {
    fileprivate var blocks: [Report.Block] {
        let event = position.map { ", since event \($0)" } ?? ""
        let table = Table(
            ["ADDRESS", "BEFORE", "AFTER"],
            addresses.map { address in
                [
                    address.path, address.before.map { words($0) } ?? "nothing",
                    address.after.map { words($0, isNew: true) } ?? "nothing: 404",
                ]
            }
        )
        return [.line("\(app) is the default app\(event)"), .table(table)] + keys
    }

    private func words(_ document: Document, isNew: Bool = false) -> String {
        guard let sequence = document.sequence else { return "\(document.app), not published" }
        return "\(document.app), sequence \(sequence)"
            + (isNew && position == nil ? " or above" : "")
    }

    private var keys: [Report.Block] {
        guard let from else { return [] }
        let (before, after) = (keysBefore.map(\.text), keysAfter.map(\.text))
        return [
            "Signed by \(after.joined(separator: ", ")) of \(app),"
                + " where \(before.joined(separator: ", ")) of \(from) signed before.",
            "Phones that trust keys of \(from) only refuse what they are given there, keep the"
                + " document that they have, and learn of nothing new, until they ask for"
                + " /distribution/\(from)/.",
        ].map(Report.Block.line)
    }
}
