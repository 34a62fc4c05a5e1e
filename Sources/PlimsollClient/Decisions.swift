/// Finds the best language among those that there are, as RFC 4647, 3.4 looks it up.
///
/// A range is shortened from its end until there is a text under it: `de-CH-1996`, `de-CH`, `de`.
/// Beyond the RFC, texts in the script of the range count before those in another one, whoever reads
/// `zh-Hant-TW` is served by `zh-TW` rather than by `zh`; and any tag of the same language counts
/// before the next range does, those of the same region first: whoever reads German from
/// Switzerland reads that of Germany. A language that goes by two codes, such as `nb` and `no`, is
/// one. Whoever reads nothing there is, sees the fallback, or failing that the first text in the
/// order of the tags: a text in a foreign language can be translated, an empty screen cannot.
struct LanguageLookup {
    private let ranges: [[Substring]]

    init(_ languages: [String], fallback: String) {
        ranges = (languages + [fallback]).map { Self.folded($0).split(separator: "-") }
    }

    func best(among tags: some Sequence<String>) -> String? {
        let sorted = tags.sorted()
        let folded = sorted.map { Self.folded($0).split(separator: "-") }
        for range in ranges {
            if let index = Self.find(range, in: folded) { return sorted[index] }
        }
        return sorted.first
    }

    private static func find(_ range: [Substring], in tags: [[Substring]]) -> Int? {
        guard !range.isEmpty else { return nil }
        if let index = tags.firstIndex(of: range) { return index }
        let kin = tags.indices.filter { code(of: tags[$0]) == code(of: range) }
        let legible = kin.filter { script(of: tags[$0]) == script(of: range) }
        let choice = legible.isEmpty ? kin : legible
        var rest = range.dropFirst()
        while true {
            if let index = choice.first(where: { tags[$0].dropFirst() == rest }) { return index }
            guard !rest.isEmpty else { break }
            rest.removeLast()
            // A single letter only says what follows it.
            if rest.last?.utf8.count == 1 { rest.removeLast() }
        }
        let near = choice.first { region(of: tags[$0]) == region(of: range) }
        return near ?? choice.first
    }

    /// The code that a language goes by now: systems and documents have the older ones too.
    private static func code(of tag: [Substring]) -> Substring? {
        tag.first.map { codes[$0] ?? $0 }
    }

    private static let codes: [Substring: Substring] = [
        "in": "id", "iw": "he", "ji": "yi", "mo": "ro", "no": "nb", "tl": "fil",
    ]

    private static func region(of tag: [Substring]) -> Substring? {
        tag.dropFirst().first { $0.utf8.count == 2 }
    }

    /// The script that is named; Chinese tags name it by their region.
    private static func script(of tag: [Substring]) -> Substring? {
        // What follows a single letter is none, nor is the year of an orthography.
        let names = tag.dropFirst().prefix { $0.utf8.count > 1 }
        let named = names.first { $0.utf8.count == 4 && $0.first?.isLetter == true }
        if let named { return named }
        guard tag.first == "zh" else { return nil }
        let traditional: [Substring?] = ["tw", "hk", "mo"]
        return traditional.contains(region(of: tag)) ? "hant" : "hans"
    }

    /// The letter case of a tag means nothing, and some systems write `_` for its hyphens.
    private static func folded(_ tag: String) -> String {
        let tag = tag.lowercased()
        return tag.utf8.contains(UInt8(ascii: "_")) ? String(tag.map { $0 == "_" ? "-" : $0 }) : tag
    }
}

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
        let language = lookup.best(among: threshold.description.tags)
        let title = lookup.best(among: threshold.title.tags)
        return Decision(
            verdict: verdict,
            title: title.flatMap { threshold.title[$0] },
            description: language.flatMap { threshold.description[$0] },
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

/// Whether an app may run, and what is asked of the person.
public enum Verdict: String, Hashable, Sendable, CaseIterable {
    /// Nothing is shown.
    case available
    /// The app runs; an update of the system is recommended.
    case osRecommended
    /// The app runs; an update of it is recommended.
    case appRecommended
    /// The app does not run; the store has a version that does.
    case appTooOldUpdateAvailable
    /// The app does not run, and the store is not known to have a version that does.
    case appTooOld
    /// The app does not run on this version of the system.
    case osTooOld

    /// Whether the app may go on.
    public var runs: Bool {
        switch self {
        case .available, .osRecommended, .appRecommended: true
        case .appTooOldUpdateAvailable, .appTooOld, .osTooOld: false
        }
    }
}

/// What to do on a device, and what to say.
public struct Decision: Hashable, Sendable {
    /// Whether the app may run.
    public let verdict: Verdict
    /// In the best language; `nil` where the document has none, so the app needs one of its own.
    public let title: String?
    /// In the best language; `nil` where there is nothing to say.
    public let description: String?
    /// The BCP 47 tag of the description's language, as the document writes it.
    public let language: String?

    /// What counts where no document has ever been fetched.
    public static let open = Decision(
        verdict: .available,
        title: nil,
        description: nil,
        language: nil
    )
}
