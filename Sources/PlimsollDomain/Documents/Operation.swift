/// One edit of one platform's document.
package struct Operation: Codable, Hashable, Sendable {
    package let platform: Platform
    package let subject: Subject

    /// What it edits, and how.
    package enum Subject: Codable, Hashable, Sendable {
        case threshold(ThresholdName, Edit)
        case offers(OfferEdit)
        /// `nil` returns to what is derived.
        case legacy(LegacyOffer?)
        case packages(PackageEdit)
    }

    /// What is done to a threshold, or to one of its fields.
    package enum Edit: Codable, Hashable, Sendable {
        case setValue(VersionValue)
        /// Takes away the value; the texts stay.
        case clearValue
        /// Takes away the value and every text of the threshold.
        case clearThreshold
        case setText(TextPart, LanguageTag, Text)
        case removeText(TextPart, LanguageTag)
    }

    package init(_ platform: Platform, _ subject: Subject) {
        (self.platform, self.subject) = (platform, subject)
    }

    package init(_ platform: Platform, _ threshold: ThresholdName, _ edit: Edit) {
        self.init(platform, .threshold(threshold, edit))
    }

    package init(_ platform: Platform, offers edit: OfferEdit) {
        self.init(platform, .offers(edit))
    }

    package init(_ platform: Platform, legacy: LegacyOffer?) {
        self.init(platform, .legacy(legacy))
    }

    /// The threshold that it edits, if it edits one.
    package var threshold: ThresholdName? {
        if case .threshold(let name, _) = subject { name } else { nil }
    }

    package var edit: Edit? {
        if case .threshold(_, let edit) = subject { edit } else { nil }
    }

    package var place: ThresholdPlace? {
        threshold.map { ThresholdPlace(platform: platform, name: $0) }
    }

    /// The one field it writes; `nil` for an edit of the whole threshold.
    package var field: Field? {
        switch subject {
        case .offers: .offers(of: platform)
        case .legacy: .legacy(of: platform)
        case .packages: .packages
        case .threshold(let name, .setValue), .threshold(let name, .clearValue):
            Field(platform, name, .value)
        case .threshold(_, .clearThreshold): nil
        case .threshold(let name, .setText(let part, let language, _)),
            .threshold(let name, .removeText(let part, let language)):
            Field(platform, name, .text(part, language))
        }
    }
}

extension Document {
    /// Makes the edit; an edit of what is not there changes nothing.
    package mutating func apply(_ operation: Operation) {
        precondition(operation.platform == platform, "an operation edits its own platform")
        switch operation.subject {
        case .threshold(let name, let edit): self.edit(name) { $0.apply(edit) }
        // What is refused for it when it is proposed does nothing here.
        case .offers(let edit): try? offers.apply(edit)
        case .legacy(let legacy): self.legacy = legacy
        case .packages(let edit): packages = edit.result(of: packages)
        }
    }

    /// Each field that the edit writes, before and after it; none where nothing stood nor will.
    package func changes(by operation: Operation) -> [FieldChange] {
        guard let field = operation.field else {
            return fields.filter { $0.threshold == operation.threshold }.map {
                FieldChange(field: $0, before: self[$0], after: nil)
            }
        }
        let (before, after) = (self[field], value(of: field, after: operation))
        return before == nil && after == nil
            ? [] : [FieldChange(field: field, before: before, after: after)]
    }

    /// What stands in the field that an edit writes, afterwards.
    private func value(of field: Field, after operation: Operation) -> FieldValue? {
        switch operation.subject {
        case .threshold(_, .setValue(let value)): return .version(value)
        case .threshold(_, .setText(_, _, let text)): return .text(text)
        case .threshold: return nil
        case .legacy(let legacy): return legacy.map(FieldValue.legacy)
        case .offers, .packages:
            var after = self
            after.apply(operation)
            return after[field]
        }
    }

    /// The fewest operations that turn this document into the other.
    package func operations(to other: Document) -> [Operation] {
        let operations = platform.thresholds.filter { self[$0] != other[$0] }.flatMap { name in
            self.operations(from: self[name], to: other[name], name)
        }
        return operations
            + (offers == other.offers ? [] : [Operation(platform, offers: .set(other.offers))])
            + (legacy == other.legacy ? [] : [Operation(platform, legacy: other.legacy)])
            + (packages == other.packages
                ? [] : [Operation(platform, .packages(.set(other.packages)))])
    }

    private func operations(
        from before: Threshold,
        to after: Threshold,
        _ name: ThresholdName
    ) -> [Operation] {
        guard !(after.isEmpty && before.value != nil) else {
            return [Operation(platform, name, .clearThreshold)]
        }
        var edits: [Operation.Edit] = []
        if before.value != after.value {
            edits.append(after.value.map(Operation.Edit.setValue) ?? .clearValue)
        }
        for part in TextPart.allCases {
            let texts = after.texts(part)
            for language in before.languages(of: part, unlike: after) {
                edits.append(
                    texts[language].map { .setText(part, language, $0) }
                        ?? .removeText(part, language)
                )
            }
        }
        return edits.map { Operation(platform, name, $0) }
    }
}

extension Threshold {
    fileprivate mutating func apply(_ edit: Operation.Edit) {
        switch edit {
        case .setValue(let value): self.value = value
        case .clearValue: value = nil
        case .clearThreshold: self = Threshold()
        case .setText(.title, let language, let text): titles[language] = text
        case .setText(.description, let language, let text): descriptions[language] = text
        case .removeText(.title, let language): titles[language] = nil
        case .removeText(.description, let language): descriptions[language] = nil
        }
    }
}
