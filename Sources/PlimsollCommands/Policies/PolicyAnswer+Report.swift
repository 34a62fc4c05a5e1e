import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

extension PolicyAnswer {
    func report(_ people: People, dryRun: Bool = false) -> Report {
        var json = json
        if dryRun { json["dryRun"] = true }
        return Report(json, blocks(people))
    }

    private func blocks(_ people: People) -> [Report.Block] {
        var lines = [origin]
        if let decision {
            lines.append("made by \(people.name(decision.by)), \(decision.since)")
            if let reason = decision.reason { lines.append("reason  \(excerpt(reason.text, 400))") }
        }
        let clauses = policy.clauses(naming: people.name).map(\.sentence)
        let warnings = warnings.map(people.naming)
        let gaps = warnings.isEmpty ? [] : ["", "As people and roles are now:"] + warnings
        return (lines + [""] + clauses + gaps).map { Report.Block.line(legible($0)) }
    }

    /// Whose policy it is, and where it comes from.
    private var origin: String {
        let event = decision?.position.map { ", of event \($0)" } ?? ""
        return switch (app, source) {
        case (let app?, .app): "\(app) has a policy of its own\(event)."
        case (let app?, .default):
            "\(app) has no policy of its own and follows the default\(event)."
        case (let app?, .builtIn): "\(app) has no policy of its own and follows the built-in one."
        case (nil, .builtIn): "The default policy of all apps is the built-in one."
        case (nil, _): "The default policy of all apps\(event)."
        }
    }
}

/// What one policy says otherwise than another.
struct PolicyDifference {
    let app: AppSlug?
    /// The event of the policy in force.
    let seen: Position
    private let changes: [Difference]

    init(_ inForce: PolicyAnswer, to policy: Policy, _ people: People) {
        app = inForce.app
        seen = inForce.seen
        changes = inForce.policy.differences(to: policy, naming: people.name)
    }

    var isEmpty: Bool { changes.isEmpty }

    var blocks: [Report.Block] {
        guard !isEmpty else { return [.line("The file says what is in force.")] }
        return changes.flatMap { change in
            [change.subject]
                + [change.before.map { "  - \($0)" }, change.after.map { "  + \($0)" }]
                .compactMap(\.self)
        }.map(Report.Block.line)
    }

    var report: Report {
        Report(
            [
                "app": JSONValue(app?.text), "seen": JSONValue(seen), "same": .bool(isEmpty),
                "changes": JSONValue(changes),
            ],
            blocks
        )
    }
}
