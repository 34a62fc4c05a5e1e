import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// `plimsoll blame`: where each field has its content from.
struct BlameCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "blame",
        abstract: "Show who last changed each field, who approved it, and why.",
        discussion: """
            Examples:
              plimsoll blame
              plimsoll blame --platform ios --event 42 --json
            """
    )

    @OptionGroup var service: ServiceOptions
    @OptionGroup var app: AppOption
    @OptionGroup var moment: MomentOptions
    @OptionGroup var output: OutputOptions
    @Option(help: "One platform; all of the app's without it.")
    var platform: Platform?

    func execute(_ output: Output) async throws -> ExitStatus {
        try await service.withClient { client in
            let app = try await app.resolve(client)
            let people = await output.people(client)
            var answers: [BlameAnswer] = []
            for platform in app.documentPlatforms(platform) {
                answers.append(
                    try await client.blame(of: app.slug, on: platform, at: moment.moment)
                )
            }
            output.show(report(answers, people))
            return .done
        }
    }

    private func report(_ answers: [BlameAnswer], _ people: People) -> Report {
        let json: JSONObject =
            answers.count == 1 ? answers[0].json : ["documents": JSONValue(answers)]
        let blocks = answers.flatMap { answer in
            [
                Report.Block.line(
                    "\(answer.app) on \(answer.platform.name), at event \(answer.position)"
                ),
                answer.lines.isEmpty
                    ? .line("Nothing is set; every version is fine.")
                    : .table(table(answer, people)),
            ]
        }
        return Report(json, blocks)
    }

    private func table(_ answer: BlameAnswer, _ people: People) -> Table {
        let lines = answer.lines.sorted { Field.precedesInReading($0.field, $1.field) }
        let rows = lines.map { line in
            [
                line.field.path.split(separator: ".").dropFirst().joined(separator: "."),
                excerpt(line.value.description, 40), line.event.description, line.since.rfc3339,
                people.name(line.origin.author),
                line.origin.approval(people),
                line.origin.change?.description ?? "", excerpt(line.origin.reason ?? "", 40),
            ]
        }
        let heads = ["FIELD", "CONTENT", "EVENT", "SINCE", "WHO", "APPROVED", "CHANGE", "WHY"]
        return Table(heads, rows)
    }
}
