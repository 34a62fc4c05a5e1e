package import PlimsollDomain
package import PlimsollJSON

/// `{"field": "ios.minimumApp.value", "before": "3.0.0", "after": "3.2.0"}`, with null where there
/// was or will be nothing.
extension FieldChange: Answer {
    package init?(_ reader: inout ObjectReader) {
        let field = reader.string(
            "field",
            needing: Field.grammar,
            Field.init(path:)
        )
        guard let field else { return nil }
        let before = reader.fieldValue("before", of: field)
        let after = reader.fieldValue("after", of: field)
        self.init(field: field, before: before, after: after)
    }

    package var json: JSONObject {
        [
            "field": .string(field.path),
            "before": JSONValue(before),
            "after": JSONValue(after),
        ]
    }
}

extension ObjectReader {
    mutating func fieldValue(_ key: String, of field: Field) -> FieldValue? {
        let kind = field.platform.versionKind
        return switch field.part {
        case nil where field.subject == .legacy:
            optionalMember(key, needing: LegacyOffer.grammar) {
                LegacyOffer($0, on: field.platform).map(FieldValue.legacy)
            }
        case nil: optionalOffers(key, on: field.platform).map(FieldValue.offers)
        case .value:
            optionalMember(key, needing: kind.grammarWithForm) {
                VersionValue($0, kind).map(FieldValue.version)
            }
        case .text:
            optionalString(key, needing: "a text") { text in
                (try? Text(validating: text)).map(FieldValue.text)
            }
        }
    }
}
