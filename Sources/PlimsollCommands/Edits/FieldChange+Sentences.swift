import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

extension FieldChange {
    /// The sentence, and below it every word that goes and comes: whoever approves has seen them.
    var lines: [String] {
        [sentence] + words(before, "-") + words(after, "+")
    }

    private func words(_ value: FieldValue?, _ sign: String) -> [String] {
        switch value {
        case .text(let text):
            text.text.split(separator: "\n", omittingEmptySubsequences: false).map {
                $0.isEmpty ? "  \(sign)" : "  \(sign) \(legible($0))"
            }
        case .offers(let offers): offers.flatMap(\.lines).map { "  \(sign) \(legible($0))" }
        case .version, .legacy, nil: []
        }
    }
}

extension Offer {
    /// What it says, and below it all that is handed on to the app.
    fileprivate var lines: [String] {
        [sentence]
            + metadata.sorted { $0.key < $1.key }.map { "  \($0.key.text) = \($0.value.words)" }
    }
}

extension [FieldChange] {
    var blocks: [Report.Block] {
        sorted { Field.precedesInReading($0.field, $1.field) }.flatMap(\.lines)
            .map(Report.Block.line)
    }

    var json: JSONValue { JSONValue(self) }
}
