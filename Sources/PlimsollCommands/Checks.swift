import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll change override`: what a check found is right.
struct OverrideCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "override",
        abstract: "Override a check that refuses a change, with a reason.",
        discussion: """
            The policy says which checks refuse a change and which role may override them. It \
            holds for what the change says now, and is nobody's to give who had a hand in it.

            For example:
              plimsoll change override 17 --check minimumLowered --reason "3.1 works again" --yes
            """
    )

    @OptionGroup var decision: DecisionOptions
    @Option(help: "The check, as plimsoll change show names it.")
    var check: CheckName
    @Option(help: "Why it is right; it is kept with the event.")
    var reason: String
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        guard let words = try PlimsollCommands.reason(reason) else { return .usage }
        return try await service.withClient { client in
            let digest = try await decision.digest(
                toDecide: "Override \(check.rawValue) of",
                client
            )
            let change = try await decision.submission.write { options in
                let form = OverrideForm(check: check, reason: words)
                return try await client.call(
                    Endpoints.overrideCheck,
                    decision.id,
                    seen: digest,
                    form,
                    options
                )
            }
            let people = await output.people(client)
            output.show(change.report(people, dryRun: decision.submission.dryRun))
            return .done
        }
    }
}

extension CheckName: ExpressibleByArgument {}

extension [CheckFinding] {
    /// What looks like a mistake, for whoever did it.
    var blocks: [Report.Block] { map { .line($0.line) } }
}

extension [CheckAnswer] {
    /// What looks like a mistake, for whoever decides on it.
    func blocks(_ people: People) -> [Report.Block] {
        map { .line($0.finding.line + $0.remark(people)) }
    }
}

extension CheckFinding {
    fileprivate var line: String { "check     \(check.rawValue): \(legible(sentence))" }
}

extension CheckAnswer {
    fileprivate func remark(_ people: People) -> String {
        if let overriddenBy { return " (overridden by \(people.name(overriddenBy)))" }
        guard severity == .refuse else { return "" }
        return overridableBy.map { " (refused, unless the role \($0.rawValue) overrides it)" }
            ?? " (refused)"
    }
}
