extension Document {
    /// What apps of a generation show once this is published under these settings.
    ///
    /// Who refuses it goes by the last document that could be read; `nil` where there never was one,
    /// and then the app runs.
    package func outcome(
        on device: Device,
        by generation: ClientGeneration,
        _ settings: AppSettings,
        keeping last: Document?
    ) -> DeviceOutcome {
        guard let unread = published(settings.profile).unread(by: [generation]).first else {
            return told(in: settings.profile)
                .decision(on: device, by: generation, shipped: settings.shippedLanguages)
        }
        let refusal = "\(generation.sentenceName) refuses the document, because \(unread.reasons)"
        guard let last else {
            return DeviceOutcome(
                verdict: .available,
                shownTitle: nil,
                shownDescription: nil,
                because: "\(refusal), and never could read one before",
                keepsLastDocument: true
            )
        }
        let kept = last.decision(on: device, by: generation, shipped: settings.shippedLanguages)
        return DeviceOutcome(
            verdict: kept.verdict,
            shownTitle: kept.shownTitle,
            shownDescription: kept.shownDescription,
            because: "\(refusal), and keeps its last document, by which \(kept.because)",
            keepsLastDocument: true
        )
    }
}
