import PlimsollAPI
import PlimsollDomain

/// Every value that a field had, as people read it.
struct FieldHistory {
    private let answer: FieldHistoryAnswer
    private let people: People

    init(_ answer: FieldHistoryAnswer, _ people: People) {
        (self.answer, self.people) = (answer, people)
    }

    var report: Report {
        let heading = Report.Block.line("\(answer.app): \(answer.field.name)")
        guard !answer.writes.isEmpty else {
            return Report(answer.json, [heading, .line("Nothing was ever written there.")])
        }
        let heads = ["EVENT", "TIME", "BEFORE", "AFTER", "WHO", "APPROVED", "CHANGE", "WHY"]
        return Report(answer.json, [heading, .table(Table(heads, answer.writes.map(row)))])
    }

    private func row(_ write: FieldHistoryAnswer.Write) -> [String] {
        [
            write.event.description, write.recordedAt.rfc3339,
            excerpt(write.change.before?.description ?? "unset", 30),
            excerpt(write.change.after?.description ?? "unset", 30),
            people.name(write.origin.author),
            write.origin.approval(people),
            write.origin.change?.description ?? "", excerpt(write.origin.reason ?? "", 40),
        ]
    }
}
