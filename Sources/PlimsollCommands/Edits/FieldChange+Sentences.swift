import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

extension FieldChange {
    /// The sentence, and below it every word that goes and comes: whoever approves has seen them.
    var lines: [String] {
        [sentence] + words(before, "-") + words(after, "+")
    }

    private func words(_ value: FieldValue?, _ sign: String) -> [String] {
        guard case .text(let text) = value else { return [] }
        return text.text.split(separator: "\n", omittingEmptySubsequences: false).map {
            $0.isEmpty ? "  \(sign)" : "  \(sign) \(legible($0))"
        }
    }
}

extension [FieldChange] {
    var blocks: [Report.Block] {
        sorted { Field.precedesInReading($0.field, $1.field) }.flatMap(\.lines)
            .map(Report.Block.line)
    }

    var json: JSONValue { JSONValue(self) }
}
