import PlimsollAPI
import PlimsollDomain

/// A field as pages show it.
extension FieldChange {
    /// Versions stand beside each other; what may have several lines is compared word by word.
    func fields(_ visit: Visit, _ origin: [Field: BlameAnswer.Line], _ names: Names) -> Fields {
        let (before, after) = (self.before?.shown, self.after?.shown)
        var (language, difference): (LanguageTag?, TextDifference?)
        if case .text(_, let tag)? = field.part { language = tag }
        if field.isLong { difference = visit.difference(from: before ?? "", to: after ?? "") }
        let line = origin[field]
        return Fields(all: [
            "path": field.path, "name": field.longName(visit.language),
            "platform": field.platform.name, "isText": field.isLong, "language": language?.text,
            "before": before, "after": after,
            "wasNothing": before == nil, "isNothing": after == nil,
            "old": difference?.side(without: .added).map(\.fields),
            "new": difference?.side(without: .removed).map(\.fields),
            "setBy": line.map { names($0.origin.author) }, "setAt": visit.time(line?.since),
        ])
    }

    private var isText: Bool {
        if case .text? = field.part { true } else { false }
    }
}

extension FieldChange {
    /// What becomes of the field, in the words of the page: `iOS: Minimum app 3.1.0 → 3.2.0`.
    func sentence(_ language: Language) -> String {
        let key: String
        switch (isText, before, after) {
        case (true, nil, _): key = "edit.added"
        case (true, _, nil): key = "edit.removed"
        case (true, _, _): key = "edit.rewritten"
        // The line has too little of the values to tell them apart.
        case (false, let before?, let after?) where before.excerpt == after.excerpt:
            key = "edit.rewritten"
        case (false, _, _): key = "edit.moved"
        }
        return language(
            key,
            [
                "field": field.longName(language), "before": words(before, language),
                "after": words(after, language),
            ]
        )
    }

    private func words(_ value: FieldValue?, _ language: Language) -> String {
        switch (value, field.subject) {
        case (let value?, _): value.excerpt
        case (nil, .threshold): language["edit.unset"]
        case (nil, .offers), (nil, .legacy): language["edit.derived"]
        case (nil, .packages): language["edit.none"]
        }
    }
}

extension EventAnswer {
    /// What happened, in the words of the page.
    func sentence(_ language: Language, _ names: Names) -> String {
        let field = fields.first { $0.sentence == sentence }?.sentence(language)
        let told = field ?? toldInParts(language) ?? language.translations(.event, sentence)
        return names.naming(in: told ?? sentence)
    }

    /// With each part behind the colon told by itself, as people may have written colons into names.
    private func toldInParts(_ language: Language) -> String? {
        let tail = differences.tail
        guard !tail.isEmpty, sentence.hasSuffix(tail),
            let told = language.translations(.event, sentence.dropLast(tail.count))
        else { return nil }
        let wording = Wording(language: language, names: Names([:]))
        let parts = differences.map { wording.sentence(of: $0, isOfPolicy: isOfPolicy) }
        return "\(told): \(parts.joined(separator: "; "))"
    }

    /// Whether what it changed is a policy, which is told in sentences.
    var isOfPolicy: Bool {
        [EventType.policyChanged, .defaultPolicyChanged].contains { $0.rawValue == body.type }
    }
}

extension TextDifference.Part {
    fileprivate var fields: Fields {
        ["text": text, "isRemoved": kind == .removed, "isAdded": kind == .added]
    }
}

extension FieldValue {
    /// All that whoever decides has to see: of offers also what is handed on to the app.
    ///
    /// What goes on in another line stands further in, so that it does not pass for another value.
    var shown: String {
        guard case .offers(let offers) = self else { return description }
        let lines = offers.flatMap(\.lines).map { line in
            line.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
                .joined(separator: "\n    ")
        }
        return lines.joined(separator: "\n")
    }
}

extension Field {
    /// Whether what stands in it may have several lines: a text, or offers.
    var isLong: Bool {
        if case .text? = part { true } else { subject == .offers }
    }

    /// The same with its platform: `iOS: Minimum app`.
    func longName(_ language: Language) -> String { "\(platform.name): \(name(language))" }

    /// What the field is, in words: `Minimum app`, `Description (de)`.
    func name(_ language: Language) -> String {
        switch subject {
        case .threshold(let name, .value): language["threshold.\(name.rawValue)"]
        case .threshold(let name, .text(let part, let tag)):
            language["threshold.\(name.rawValue)"]
                + ": \(language["text.\(part.rawValue)"]) (\(tag.text))"
        case .offers: language["threshold.offers"]
        case .legacy: language["threshold.legacy"]
        case .packages: language["threshold.packages"]
        }
    }
}
