/// What a device shows after reading a document.
package struct DeviceOutcome: Equatable, Sendable {
    package let verdict: DeviceVerdict
    /// From the document; `nil` where the app has a fixed title or shows none.
    package let shownTitle: ShownText?
    package let shownDescription: ShownText?
    /// Which rule decided, as a sentence.
    package let because: String
    /// Whether the device refuses the document and goes by the last one that it could read, or, where
    /// there is none, by none.
    package let keepsLastDocument: Bool

    package init(
        verdict: DeviceVerdict,
        shownTitle: ShownText?,
        shownDescription: ShownText?,
        because: String,
        keepsLastDocument: Bool = false
    ) {
        self.verdict = verdict
        self.shownTitle = shownTitle
        self.shownDescription = shownDescription
        self.because = because
        self.keepsLastDocument = keepsLastDocument
    }

    package init(
        verdict: DeviceVerdict,
        title: String?,
        description: String?,
        because: String
    ) {
        self.init(
            verdict: verdict,
            shownTitle: title.map(ShownText.one),
            shownDescription: description.map(ShownText.one),
            because: because
        )
    }

    /// The title, where it can be told.
    package var title: String? { shownTitle?.certain }

    package var description: String? { shownDescription?.certain }
}

extension ShownText {
    /// The text; `nil` where it is one of several.
    package var certain: String? {
        if case .one(let text) = self { text } else { nil }
    }

    /// The texts that it may be; none where it is certain.
    package var choices: [LanguageTag: String] {
        if case .oneOf(let texts) = self { texts } else { [:] }
    }
}
