import PlimsollAPI
import PlimsollDomain

/// What happened to a change, in the order in which it did.
struct ChangeTimeline {
    private struct Step {
        let at: Instant
        let kind: String
        var by: PrincipalID?
        var text: Reason?
        var check: CheckName?
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
        if let decidedAt = change.outcome.decidedAt, change.summary.state == .applied {
            steps.append(Step(at: decidedAt, kind: "applied"))
        }
        self.steps = steps.sorted { $0.at < $1.at }
    }

    func fields(_ visit: Visit, _ names: Names) -> [Fields] {
        steps.map { step in
            Fields(present: [
                "what": visit.language["timeline.\(step.kind)"], "at": visit.time(step.at),
                "by": step.by.map(names.callAsFunction), "text": step.text?.text,
                "check": step.check?.rawValue,
            ])
        }
    }
}
