/// The smallest thing that can be changed: `ios.minimumApp.value`,
/// `android.recommendedApp.description.de`, `ios.offers`, `ios.legacy`,
/// `ios.packages`.
package struct Field: Codable, Hashable, Sendable {
    package let platform: Platform
    package let subject: Subject

    /// What of a document it is.
    package enum Subject: Codable, Hashable, Sendable {
        case threshold(ThresholdName, FieldPart)
        /// All offers of the platform: where one stands says what the others mean.
        case offers
        /// The object for clients of Prince of Versions before 4.0, where it is not derived.
        case legacy
        /// The packages that marketplaces offer of the app.
        case packages
    }

    package init(_ platform: Platform, _ threshold: ThresholdName, _ part: FieldPart) {
        self.platform = platform
        subject = .threshold(threshold, part)
    }

    private init(_ platform: Platform, _ subject: Subject) {
        (self.platform, self.subject) = (platform, subject)
    }

    package static func offers(of platform: Platform) -> Field { Field(platform, .offers) }
    package static func legacy(of platform: Platform) -> Field { Field(platform, .legacy) }
    package static let packages = Field(.ios, .packages)

    // Where the next two are inlined, the optimizer of Swift 6.3.1 crashes (CopyPropagation).

    /// The threshold that it is of, if it is of one.
    package var threshold: ThresholdName? {
        @inline(never) get {
            if case .threshold(let name, _) = subject { name } else { nil }
        }
    }

    /// What of the threshold it is.
    package var part: FieldPart? {
        @inline(never) get {
            if case .threshold(_, let part) = subject { part } else { nil }
        }
    }

    /// Reads what ``path`` gives.
    package init?(path: String) {
        let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard names.count >= 2, let platform = Platform(rawValue: names[0]) else { return nil }
        switch (names.count, names[1]) {
        case (2, Self.offersName): self.init(platform, .offers)
        case (2, Self.legacyName) where platform.hasLegacyClients: self.init(platform, .legacy)
        case (2, Self.packagesName) where platform == .ios: self = .packages
        case (3, let name):
            guard let threshold = ThresholdName(rawValue: name), names[2] == "value" else {
                return nil
            }
            self.init(platform, threshold, .value)
        case (4, let name):
            guard let threshold = ThresholdName(rawValue: name),
                let part = TextPart(rawValue: names[2]), let language = LanguageTag(names[3])
            else { return nil }
            self.init(platform, threshold, .text(part, language))
        default: return nil
        }
    }

    package var path: String {
        switch subject {
        case .threshold(_, let part): "\(platform.rawValue).\(subjectName).\(part)"
        case .offers, .legacy, .packages: "\(platform.rawValue).\(subjectName)"
        }
    }

    /// What stands behind the platform.
    fileprivate var subjectName: String {
        switch subject {
        case .threshold(let name, _): name.rawValue
        case .offers: Self.offersName
        case .legacy: Self.legacyName
        case .packages: Self.packagesName
        }
    }

    private static let offersName = "offers"
    private static let legacyName = "legacy"
    private static let packagesName = "packages"
}

extension Field {
    package var place: ThresholdPlace? {
        threshold.map { ThresholdPlace(platform: platform, name: $0) }
    }
}

extension Field: Comparable {
    /// The order of the paths, which are not written for it.
    package static func < (left: Field, right: Field) -> Bool {
        if left.platform != right.platform { return left.platform < right.platform }
        if left.subjectName != right.subjectName { return left.subjectName < right.subjectName }
        guard let leftPart = left.part, let rightPart = right.part else { return false }
        return leftPart < rightPart
    }
}

extension Field: CustomStringConvertible {
    package var description: String { path }
}

/// The value of a threshold, or one of its texts in one language.
package enum FieldPart: Codable, Hashable, Sendable {
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
package enum FieldValue: Codable, Hashable, Sendable {
    case version(VersionValue)
    case text(Text)
    /// Never empty.
    case offers([Offer])
    case legacy(LegacyOffer)
    /// Never empty.
    case packages([AppleVersionID])

    var text: Text? {
        if case .text(let text) = self { text } else { nil }
    }
}

extension FieldValue: CustomStringConvertible {
    package var description: String {
        switch self {
        case .version(let value): value.description
        case .text(let text): text.text
        case .offers(let offers): offers.map(\.sentence).joined(separator: "; ")
        case .legacy(let legacy): legacy.sentence
        case .packages(let versions): versions.map(\.text).joined(separator: ", ")
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
