package import PlimsollDomain
package import PlimsollJSON

extension SuspensionCause: Answer {
    package init?(_ reader: inout ObjectReader) {
        guard let cause = reader.name("cause", as: SuspensionCause.self) else { return nil }
        self = cause
    }

    /// What happened, in words, and what to do next.
    package var json: JSONObject {
        [
            "cause": .string(rawValue), "detail": .string(sentence),
            "remedy": .string(remedy),
        ]
    }
}
