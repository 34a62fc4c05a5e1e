/// Which line is drawn: for the operating system or the app, binding or advised.
package enum ThresholdName: String, Codable, Hashable, CaseIterable, Sendable {
    case minimumOS
    case recommendedOS
    case minimumApp
    case recommendedApp

    package var isMinimum: Bool {
        switch self {
        case .minimumOS, .minimumApp: true
        case .recommendedOS, .recommendedApp: false
        }
    }

    /// Which texts a phone shows from the document when a device lies below this threshold.
    ///
    /// The title of a minimum is fixed in the shipped apps; of a recommendation both parts are
    /// taken from the document.
    package var partsShown: [TextPart] {
        isMinimum ? [.description] : [.title, .description]
    }
}

/// A threshold of one platform.
package struct ThresholdPlace: Hashable, Sendable {
    package let platform: Platform
    package let name: ThresholdName

    package init(platform: Platform, name: ThresholdName) {
        self.platform = platform
        self.name = name
    }

    /// Reads what ``path`` gives.
    package init?(path: String) {
        let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard names.count == 2, let platform = Platform(rawValue: names[0]),
            let name = ThresholdName(rawValue: names[1])
        else { return nil }
        self.init(platform: platform, name: name)
    }

    /// Such as `ios.minimumApp`.
    package var path: String { "\(platform.rawValue).\(name.rawValue)" }

    package static let grammar = "a platform and a threshold, such as ios.minimumApp"
}

extension ThresholdPlace: CustomStringConvertible {
    package var description: String { path }
}

/// Which text of a threshold.
package enum TextPart: String, Codable, Hashable, CaseIterable, Sendable {
    case title
    case description
}

/// One line on one platform: a value and what people read who are below it.
package struct Threshold: Codable, Equatable, Sendable {
    package var value: VersionValue?
    package var titles: [LanguageTag: Text] = [:]
    package var descriptions: [LanguageTag: Text] = [:]

    package init(
        value: VersionValue? = nil,
        titles: [LanguageTag: Text] = [:],
        descriptions: [LanguageTag: Text] = [:]
    ) {
        self.value = value
        self.titles = titles
        self.descriptions = descriptions
    }

    package var isEmpty: Bool { value == nil && titles.isEmpty && descriptions.isEmpty }

    package func texts(_ part: TextPart) -> [LanguageTag: Text] {
        switch part {
        case .title: titles
        case .description: descriptions
        }
    }
    /// What stands in one of its fields; a value where a text belongs is nobody's.
    subscript(part: FieldPart) -> FieldValue? {
        get {
            switch part {
            case .value: value.map(FieldValue.version)
            case .text(let part, let language): texts(part)[language].map(FieldValue.text)
            }
        }
        set {
            switch (part, newValue) {
            case (.value, .version(let version)): value = version
            case (.value, nil): value = nil
            case (.text(.title, let language), .text(let text)): titles[language] = text
            case (.text(.title, let language), nil): titles[language] = nil
            case (.text(.description, let language), .text(let text)):
                descriptions[language] = text
            case (.text(.description, let language), nil): descriptions[language] = nil
            case (.value, .text), (.text, .version), (_, .offers), (_, .legacy),
                (_, .packages):
                preconditionFailure("a field value is read as its field demands")
            }
        }
    }
}

extension ThresholdName {
    /// The member of an availability document that holds this threshold.
    package func member(on platform: Platform) -> String {
        switch (self, platform) {
        case (.minimumOS, .android): "minimumSDKVersion"
        case (.minimumOS, _): "minimumOSVersion"
        case (.recommendedOS, _): "recommendedOSVersion"
        case (.minimumApp, _): "minimumAppVersion"
        case (.recommendedApp, _): "recommendedAppVersion"
        }
    }
}
