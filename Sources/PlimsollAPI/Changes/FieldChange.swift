package import PlimsollDomain
package import PlimsollJSON

/// `{"field": "ios.minimumApp.value", "before": "3.0.0", "after": "3.2.0"}`, with null where there
/// was or will be nothing.
extension FieldChange: Answer, Shaped {
    package static let shape = Shape<Self>(
        "FieldChange",
        byHand: [
            .required("field", .field), .required("before", .fieldValue),
            .required("after", .fieldValue),
        ]
    )

    package init?(_ reader: inout ObjectReader) {
        let field = reader.member("field", .field)
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
    /// The same where there has to be something.
    mutating func neededFieldValue(_ key: String, of field: Field) -> FieldValue? {
        if object[key] ?? .null == .null {
            refuse(.missing("a value of \(field.path)", at: pointer.appending(key)))
        }
        return fieldValue(key, of: field)
    }

    mutating func fieldValue(_ key: String, of field: Field) -> FieldValue? {
        let kind = field.platform.versionKind
        return switch field.part {
        case nil where field.subject == .legacy:
            optionalMember(key, needing: LegacyOffer.grammar) {
                LegacyOffer($0, on: field.platform).map(FieldValue.legacy)
            }
        case nil where field == .packages: optionalPackages(key).map(FieldValue.packages)
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

extension FieldChange {
    /// What changes, in a line: `iOS minimum app 3.1.0 → 3.2.0`.
    package var sentence: String {
        switch (before, after) {
        case (.text, .text): "\(field.name) rewritten"
        case (nil, .text): "\(field.name) added"
        case (.text, nil): "\(field.name) removed"
        case _: "\(field.name) \(before?.excerpt ?? absence) → \(after?.excerpt ?? absence)"
        }
    }

    /// What is said of a field that has no value.
    private var absence: String {
        switch field.subject {
        case .threshold: "unset"
        case .offers, .legacy: "derived"
        case .packages: "none"
        }
    }
}

extension FieldValue {
    /// What a line says of it: of offers how many, of packages the first and how many more.
    package var excerpt: String {
        switch self {
        case .offers(let offers): return offers.count.description
        case .legacy(let offer): return offer.sentence
        case .packages(let packages):
            let named = packages.prefix(3).map(\.text).joined(separator: ", ")
            return packages.count > 3 ? "\(named) and \(packages.count - 3) more" : named
        case .version, .text: return description
        }
    }
}

/// `{"field": "ios.minimumApp.value", "base": "3.0.0", "live": "3.1.0", "by": …, "position": 17,
/// "change": "7"}`.
extension FieldConflict: Answer, Shaped {
    package static let shape = Shape<Self>(
        "FieldConflict",
        byHand: [
            .required("field", .field), .required("base", .fieldValue),
            .required("live", .fieldValue), .required("by", .principal),
            .required("at", .instant), .required("reason", .nullable(.reason)),
            .required("position", .position), .required("change", .nullable(.change)),
        ]
    )

    package init?(_ reader: inout ObjectReader) {
        let field = reader.member("field", .field)
        guard let field else { return nil }
        let base = reader.fieldValue("base", of: field)
        let live = reader.fieldValue("live", of: field)
        let (by, at) = (reader.member("by", .principal), reader.member("at", .instant))
        let reason = reader.optionalMember("reason", .reason)
        let position = reader.member("position", .position)
        let change = reader.optionalMember("change", .change)
        guard let by, let at, let position else { return nil }
        self.init(
            field: field,
            base: base,
            live: live,
            write: FieldWrite(position: position, actor: by, recordedAt: at, reason: reason),
            cause: change
        )
    }

    package var json: JSONObject {
        [
            "field": .string(field.path), "base": JSONValue(base), "live": JSONValue(live),
            "by": .string(write.actor.text), "at": JSONValue(write.recordedAt),
            "reason": JSONValue(write.reason?.text), "position": JSONValue(write.position),
            "change": JSONValue(cause?.description),
        ]
    }
}
