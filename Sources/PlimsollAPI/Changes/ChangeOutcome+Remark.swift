package import PlimsollDomain
package import PlimsollJSON

extension ChangeOutcome {
    /// What somebody said of a change, or did to it, before it was decided on.
    package struct Remark: Answer {
        package let kind: RemarkKind
        package let by: PrincipalID
        package let at: Instant
        /// The comment, or the reason; `nil` where none was given.
        package let text: Reason?
        /// What was overridden.
        package let check: CheckName?

        package init(
            _ kind: RemarkKind,
            by: PrincipalID,
            at: Instant,
            text: Reason?,
            check: CheckName? = nil
        ) {
            self.kind = kind
            self.by = by
            self.at = at
            self.text = text
            self.check = check
        }

        package init?(_ reader: inout ObjectReader) {
            let kind = reader.name("kind", as: RemarkKind.self)
            let by = reader.principal("by")
            let at = reader.instant("at")
            let text = reader.optionalReason("text")
            let check = reader.optionalString(
                "check",
                needing: oneOf(CheckName.self),
                CheckName.init(rawValue:)
            )
            guard let kind, let by, let at else { return nil }
            self.init(kind, by: by, at: at, text: text, check: check)
        }

        package var json: JSONObject {
            [
                "kind": .string(kind.rawValue),
                "by": .string(by.text),
                "at": JSONValue(at),
                "text": JSONValue(text?.text),
                "check": JSONValue(check?.rawValue),
            ]
        }
    }
}
