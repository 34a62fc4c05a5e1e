import PlimsollAPI
import PlimsollDomain

/// What happened to a change, in the order in which it did.
struct ChangeTimeline {
    private struct Step {
        /// `nil` where it is not known: it is the last that happened.
        var at: Instant?
        let kind: String
        var by: PrincipalID?
        var text: Reason?
        var check: CheckName?
        /// Why, where no approver or reviewer says it.
        var cause: SuspensionCause?
        var event: Position?
    }

    private let steps: [Step]

    init(of change: ChangeAnswer) {
        var steps = [
            Step(at: change.summary.proposedAt, kind: "proposed", by: change.summary.author)
        ]
        steps += change.outcome.remarks.map {
            Step(at: $0.at, kind: $0.kind.rawValue, by: $0.by, text: $0.text, check: $0.check)
        }
        steps += change.outcome.approvals.map(\.verdict).map {
            Step(at: $0.at, kind: "approved", by: $0.by, text: $0.comment)
        }
        if let verdict = change.outcome.rejection {
            steps.append(
                Step(at: verdict.at, kind: "rejected", by: verdict.by, text: verdict.comment)
            )
        }
        steps += Self.ends(of: change)
        self.steps =
            steps.filter { $0.at != nil }.sorted { Self.isEarlier($0, $1) }
            + steps.filter { $0.at == nil }
    }

    private static func isEarlier(_ one: Step, _ other: Step) -> Bool {
        guard let first = one.at, let second = other.at else { return false }
        return first < second
    }

    /// What became of it in the end, and after that.
    private static func ends(of change: ChangeAnswer) -> [Step] {
        let (state, decidedAt) = (change.summary.state, change.outcome.decidedAt)
        var steps: [Step] = []
        if let decidedAt, state == .applied {
            steps.append(Step(at: decidedAt, kind: "applied", event: change.course.term?.applied))
        }
        if let decidedAt, state == .withdrawn {
            steps.append(Step(at: decidedAt, kind: "withdrawn", by: change.summary.author))
        }
        if let cause = change.summary.suspension {
            // Nor is its event: a rollback has it, or others stand behind it.
            steps.append(Step(kind: "suspended", cause: cause))
        }
        if let term = change.course.term, term.state == .ended {
            steps.append(Step(at: term.endedAt, kind: "ended", by: .system, event: term.ended))
        }
        if let undoing = change.summary.undoing {
            steps.append(
                Step(
                    at: undoing.at,
                    kind: "undone",
                    by: undoing.actor,
                    text: undoing.reason,
                    event: undoing.position
                )
            )
        }
        return steps
    }

    func fields(_ visit: Visit, _ names: Names) -> [Fields] {
        steps.map { step in
            Fields(all: [
                "what": visit.language["timeline.\(step.kind)"], "when": visit.time(step.at),
                "text": step.text?.text,
                "check": step.check?.rawValue,
                "sentence": step.cause.map { visit.language["suspension.\($0.rawValue).detail"] },
                "event": step.event?.description, "who": step.by.map(names.callAsFunction),
            ])
        }
    }
}
