package import PlimsollDomain
package import PlimsollJSON

/// `{"check": "textsEqual", "field": "ios.minimumOS.description.en", "sentence": "…"}`
extension CheckFinding: Answer {
    package init?(_ reader: inout ObjectReader) {
        let check = reader.name("check", as: CheckName.self)
        let field = reader.string("field", needing: Field.grammar, Field.init(path:))
        let sentence = reader.string("sentence")
        guard let check, let field, let sentence else { return nil }
        self.init(check, field, sentence)
    }

    package var json: JSONObject {
        [
            "check": .string(check.rawValue), "field": .string(field.path),
            "sentence": .string(sentence),
        ]
    }
}
