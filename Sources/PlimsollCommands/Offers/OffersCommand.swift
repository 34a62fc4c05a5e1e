import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// `plimsoll offers`: a platform's own offers for clients of Prince of Versions, one by one.
struct OffersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "offers",
        abstract: "List a platform's own offers for Prince of Versions, or propose to edit one.",
        discussion: """
            A device is told the first offer that it meets; places are counted from 0. Whatever \
            is edited is a change that somebody else approves.

            For example: plimsoll offers list --platform ios
            """,
        subcommands: [
            ListOffersCommand.self, AddOfferCommand.self, ReplaceOfferCommand.self,
            MoveOfferCommand.self, RemoveOfferCommand.self,
        ]
    )
}

/// `plimsoll offers list`: what clients are told, in the order in which they look.
struct ListOffersCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show the offers of an app, or of one platform.",
        discussion: "For example: plimsoll offers list --platform ios"
    )

    @Option(help: "One platform; all that have offers of their own without it.")
    var platform: Platform?
    @OptionGroup var service: ServiceOptions
    @OptionGroup var app: AppOption
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        try await service.withClient { client in
            let answer = try await client.princeOfVersions(of: try await app.slug(client))
            let own = answer.offers.filter { platform == nil || $0.key == platform }
                .sorted { $0.key < $1.key }
            let rows = own.flatMap { platform, offers in
                offers.enumerated().map { ["\(platform)", "\($0)", legible($1.sentence)] }
            }
            let json: JSONObject = [
                "app": .string(answer.app.text), "position": JSONValue(answer.position),
                "offers": .object(
                    JSONObject(own.map { .init(key: $0.key.rawValue, value: JSONValue($0.value)) })
                ),
            ]
            output.show(Report(json, [.table(Table(["PLATFORM", "PLACE", "OFFER"], rows))]))
            if rows.isEmpty {
                output.note(
                    "There are no offers of its own; they are derived from thresholds and releases:"
                        + " plimsoll get --prince-of-versions"
                )
            }
            return .done
        }
    }
}
