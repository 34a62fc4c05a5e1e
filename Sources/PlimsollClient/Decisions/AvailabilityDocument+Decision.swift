extension AvailabilityDocument {
    /// What the document means for a device.
    ///
    /// The first that is true decides: the system is below its minimum, the app is below its
    /// minimum, the system is below what is recommended, the app is. Equal is enough. An app is
    /// recommended on Apple's platforms only when the store is known to have it.
    ///
    /// - Parameters:
    ///   - device: What runs the app.
    ///   - storeVersion: What the store offers to this device; `nil` where that is not known.
    ///   - languages: What the person reads, as BCP 47 tags, the best first.
    ///   - fallbackLanguage: What is shown to whoever reads none of the document's languages.
    /// - Returns: ``Decision/open`` where nothing holds the device back.
    public func decision(
        on device: Device,
        storeVersion: Version?,
        languages: [String],
        fallbackLanguage: String = "en"
    ) -> Decision {
        let (verdict, name) = verdict(on: device) { wanted in
            storeVersion.map { !$0.isOlder(than: wanted) } ?? false
        }
        guard let name, let threshold = self[name] else { return .open }
        let lookup = LanguageLookup(languages, fallback: fallbackLanguage)
        let language = lookup.best(among: threshold.descriptions.keys)
        let title = lookup.best(among: threshold.titles.keys)
        return Decision(
            verdict: verdict,
            title: title.flatMap { threshold.titles[$0] },
            description: language.flatMap { threshold.descriptions[$0] },
            language: language
        )
    }

    /// Whether the decision depends on what the store has.
    func asksStore(on device: Device) -> Bool {
        verdict(on: device) { _ in true }.0 != verdict(on: device) { _ in false }.0
    }

    private func verdict(
        on device: Device,
        storeHas: (Version) -> Bool
    ) -> (Verdict, ThresholdName?) {
        guard device.platform == stamp.platform else { return (.available, nil) }
        if floor(.minimumOS, above: device.os) != nil { return (.osTooOld, .minimumOS) }
        if let minimum = floor(.minimumApp, above: device.app) {
            return (storeHas(minimum) ? .appTooOldUpdateAvailable : .appTooOld, .minimumApp)
        }
        if floor(.recommendedOS, above: device.os) != nil {
            return (.osRecommended, .recommendedOS)
        }
        guard
            let advised = floor(.recommendedApp, above: device.app),
            device.platform == .android || storeHas(advised)
        else { return (.available, nil) }
        return (.appRecommended, .recommendedApp)
    }

    /// The value of a threshold that the version lies below.
    private func floor(_ name: ThresholdName, above version: Version) -> Version? {
        self[name]?.value.flatMap { version.isOlder(than: $0) ? $0 : nil }
    }
}
