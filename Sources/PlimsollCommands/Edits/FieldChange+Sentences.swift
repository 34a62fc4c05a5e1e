import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

extension FieldChange {
    /// What changes, in a line: `iOS minimum app 3.1.0 → 3.2.0`.
    var sentence: String {
        switch (before, after) {
        case (.version(let before), .version(let after)): "\(field.name) \(before) → \(after)"
        case (nil, .version(let after)): "\(field.name) unset → \(after)"
        case (.version(let before), nil): "\(field.name) \(before) → unset"
        case (nil, _): "\(field.name) added"
        case (_, nil): "\(field.name) removed"
        default: "\(field.name) rewritten"
        }
    }

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
