/// Which line is drawn: for the operating system or the app, binding or advised.
package enum ThresholdName: String, Hashable, CaseIterable, Sendable {
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

/// Which text of a threshold.
package enum TextPart: String, Hashable, CaseIterable, Sendable {
    case title
    case description
}

/// One line on one platform: a value and what people read who are below it.
package struct Threshold: Equatable, Sendable {
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
}
