import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

extension ChangeAnswer {
    /// The change with every word of its effect.
    func report(_ people: People, dryRun: Bool = false) -> Report {
        var json = json
        if dryRun { json["dryRun"] = true }
        return Report(json, blocks(people))
    }

    func blocks(_ people: People) -> [Report.Block] {
        var lines = [
            "Change \(summary.id) for \(summary.app): \(legible(summary.title.text))",
            "state     \(summary.state.rawValue)",
            "author    \(people.name(summary.author)), \(summary.proposedAt)",
            "based on  event \(summary.base)",
        ]
        if let reason { lines.append("reason    \(excerpt(reason.text, 400))") }
        if let digest { lines.append("digest    \(digest)") }
        lines += outcome.approvals.map { "approved  \($0.line(people))" }
        if let rejection = outcome.rejection { lines.append("rejected  \(rejection.line(people))") }
        lines.append("")
        return lines.map(Report.Block.line)
            + (effect.isEmpty ? [.line("It changes nothing against what is live.")] : effect.blocks)
    }
}

extension ChangeOutcome.Verdict {
    fileprivate func line(_ people: People) -> String {
        "by \(people.name(by)), \(at)" + (comment.map { ": \(excerpt($0.text, 400))" } ?? "")
    }
}
