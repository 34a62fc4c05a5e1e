/// The smallest thing that can be changed: `ios.minimumApp.value`,
/// `android.recommendedApp.description.de`.
package struct Field: Hashable, Sendable {
    package let platform: Platform
    package let threshold: ThresholdName
    package let part: FieldPart

    package init(_ platform: Platform, _ threshold: ThresholdName, _ part: FieldPart) {
        self.platform = platform
        self.threshold = threshold
        self.part = part
    }

    /// Reads what ``path`` gives.
    package init?(path: String) {
        let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard
            names.count >= 3, let platform = Platform(rawValue: names[0]),
            let threshold = ThresholdName(rawValue: names[1])
        else { return nil }
        if names.count == 3, names[2] == "value" {
            self.init(platform, threshold, .value)
        } else if names.count == 4, let part = TextPart(rawValue: names[2]),
            let language = LanguageTag(names[3])
        {
            self.init(platform, threshold, .text(part, language))
        } else {
            return nil
        }
    }

    package var path: String { "\(platform.rawValue).\(threshold.rawValue).\(part)" }
}

extension Field {
    package var place: ThresholdPlace { ThresholdPlace(platform: platform, name: threshold) }
}

extension Field: Comparable {
    /// The order of the paths, which are not written for it.
    package static func < (left: Field, right: Field) -> Bool {
        if left.platform != right.platform { return left.platform < right.platform }
        if left.threshold != right.threshold {
            return left.threshold.rawValue < right.threshold.rawValue
        }
        return left.part < right.part
    }
}

extension Field: CustomStringConvertible {
    package var description: String { path }
}

/// The value of a threshold, or one of its texts in one language.
package enum FieldPart: Hashable, Sendable {
    case value
    case text(TextPart, LanguageTag)
}

extension FieldPart: Comparable {
    /// The order of what a path ends in.
    package static func < (left: FieldPart, right: FieldPart) -> Bool {
        switch (left, right) {
        case (.text(let left, let leftLanguage), .text(let right, let rightLanguage)):
            left == right ? leftLanguage < rightLanguage : left.rawValue < right.rawValue
        case (.text, .value): true
        case (.value, .text), (.value, .value): false
        }
    }
}

extension FieldPart: CustomStringConvertible {
    package var description: String {
        switch self {
        case .value: "value"
        case .text(let part, let language): "\(part.rawValue).\(language)"
        }
    }
}

/// What stands in a field.
package enum FieldValue: Hashable, Sendable {
    case version(VersionValue)
    case text(Text)

    var text: Text? {
        if case .text(let text) = self { text } else { nil }
    }
}

extension FieldValue: CustomStringConvertible {
    package var description: String {
        switch self {
        case .version(let value): value.description
        case .text(let text): text.text
        }
    }
}

/// One field before and after; `nil` where there was or will be nothing.
package struct FieldChange: Hashable, Sendable {
    package let field: Field
    package let before: FieldValue?
    package let after: FieldValue?

    package init(field: Field, before: FieldValue?, after: FieldValue?) {
        self.field = field
        self.before = before
        self.after = after
    }
}
