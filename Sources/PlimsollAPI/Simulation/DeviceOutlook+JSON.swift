package import PlimsollDomain
package import PlimsollJSON

/// What a typical device is told before and after.
extension DeviceOutlook: Answer {
    package init?(_ reader: inout ObjectReader) {
        let kind = reader.name("kind", as: TypicalDevice.Kind.self)
        let device = reader.optionalNested("device", Device.init)
        let before = reader.optionalNested("before", DeviceReading.init)
        let after = reader.optionalNested("after", DeviceReading.init)
        guard let kind, let device, let before, let after else { return nil }
        self.init(
            typical: TypicalDevice(kind: kind, device: device),
            before: before,
            after: after
        )
    }

    package var json: JSONObject {
        [
            "kind": .string(typical.kind.rawValue), "device": .object(typical.device.json),
            "before": .object(before.json), "after": .object(after.json),
        ]
    }
}

extension DeviceOutcome {
    init?(_ reader: inout ObjectReader) {
        let verdict = reader.name("verdict", as: DeviceVerdict.self)
        let title = reader.shownText("title")
        let description = reader.shownText("description")
        let because = reader.string("because")
        let keeps = reader.optionalBool("keepsLastDocument") ?? false
        guard let verdict, let because else { return nil }
        self.init(
            verdict: verdict,
            shownTitle: title,
            shownDescription: description,
            because: because,
            keepsLastDocument: keeps
        )
    }

    package var json: JSONObject {
        [
            "verdict": .string(verdict.rawValue), "runs": .bool(verdict.runs),
            "title": JSONValue(title), "titleOneOf": choices(shownTitle),
            "description": JSONValue(description), "descriptionOneOf": choices(shownDescription),
            "because": .string(because), "keepsLastDocument": .bool(keepsLastDocument),
        ]
    }

    /// By language; null where the text is certain.
    private func choices(_ text: ShownText?) -> JSONValue {
        guard let texts = text?.choices, !texts.isEmpty else { return .null }
        let members = texts.sorted { $0.key < $1.key }.map { language, text in
            JSONObject.Member(key: language.text, value: .string(text))
        }
        return .object(JSONObject(members))
    }
}

extension ObjectReader {
    /// A text that is shown, or those that it may be.
    fileprivate mutating func shownText(_ key: String) -> ShownText? {
        let certain = optionalString(key)
        let choices = optionalObject("\(key)OneOf")?.members.compactMap { member in
            LanguageTag(member.key).flatMap { tag in member.value.string.map { (tag, $0) } }
        }
        return choices.map { .oneOf(Dictionary($0) { first, _ in first }) }
            ?? certain.map(ShownText.one)
    }
}
