/// One field-level edit of one platform's document.
package struct Operation: Hashable, Sendable {
    package let platform: Platform
    package let threshold: ThresholdName
    package let edit: Edit

    /// What is done to a threshold, or to one of its fields.
    package enum Edit: Hashable, Sendable {
        case setValue(VersionValue)
        /// Takes away the value; the texts stay.
        case clearValue
        /// Takes away the value and every text of the threshold.
        case clearThreshold
        case setText(TextPart, LanguageTag, Text)
        case removeText(TextPart, LanguageTag)
    }

    package init(_ platform: Platform, _ threshold: ThresholdName, _ edit: Edit) {
        self.platform = platform
        self.threshold = threshold
        self.edit = edit
    }

    package var place: ThresholdPlace { ThresholdPlace(platform: platform, name: threshold) }

    /// The one field it writes; `nil` for an edit of the whole threshold.
    package var field: Field? {
        switch edit {
        case .setValue, .clearValue: Field(platform, threshold, .value)
        case .clearThreshold: nil
        case .setText(let part, let language, _), .removeText(let part, let language):
            Field(platform, threshold, .text(part, language))
        }
    }

    /// What stands in that field afterwards; `nil` where nothing does.
    package var value: FieldValue? {
        switch edit {
        case .setValue(let value): .version(value)
        case .setText(_, _, let text): .text(text)
        case .clearValue, .clearThreshold, .removeText: nil
        }
    }
}

extension Document {
    /// Makes the edit; an edit of what is not there changes nothing.
    package mutating func apply(_ operation: Operation) {
        precondition(operation.platform == platform, "an operation edits its own platform")
        edit(operation.threshold) { threshold in
            switch operation.edit {
            case .setValue(let value): threshold.value = value
            case .clearValue: threshold.value = nil
            case .clearThreshold: threshold = Threshold()
            case .setText(.title, let language, let text): threshold.titles[language] = text
            case .setText(.description, let language, let text):
                threshold.descriptions[language] = text
            case .removeText(.title, let language): threshold.titles[language] = nil
            case .removeText(.description, let language):
                threshold.descriptions[language] = nil
            }
        }
    }

    /// Each field that the edit writes, before and after it; none where nothing stood nor will.
    package func changes(by operation: Operation) -> [FieldChange] {
        guard let field = operation.field else {
            return fields.filter { $0.threshold == operation.threshold }.map {
                FieldChange(field: $0, before: self[$0], after: nil)
            }
        }
        let (before, after) = (self[field], operation.value)
        return before == nil && after == nil
            ? [] : [FieldChange(field: field, before: before, after: after)]
    }

    /// The fewest operations that turn this document into the other.
    package func operations(to other: Document) -> [Operation] {
        platform.thresholds.filter { self[$0] != other[$0] }.flatMap { name in
            operations(from: self[name], to: other[name], name)
        }
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
