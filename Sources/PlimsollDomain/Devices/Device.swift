/// A phone that reads a document, with what it knows about itself.
package struct Device: Equatable, Sendable {
    package let platform: Platform
    /// A version of iOS or macOS, an API level, or a feature release of Java.
    package let os: VersionValue
    package let app: VersionValue
    /// The version that the store offers to this device; `nil` where the look-up gave none.
    package private(set) var store: VersionValue?
    /// What it is set to, and behind it what its owner reads as well; never empty.
    package let languages: [LanguageTag]

    /// Returns `nil` unless all versions are written as the platform does.
    package init?(
        platform: Platform,
        os: VersionValue,
        app: VersionValue,
        store: VersionValue?,
        language: LanguageTag,
        others: [LanguageTag] = []
    ) {
        let kinds = [app.kind] + (store.map { [$0.kind] } ?? [])
        guard os.kind == platform.systemKind,
            kinds.allSatisfy({ $0 == platform.versionKind })
        else { return nil }
        self.platform = platform
        self.os = os
        self.app = app
        self.store = store
        languages = [language] + others
    }
}

extension Device {
    /// The same device, whose store offers this; what is known of it already stays.
    package func offered(_ version: VersionValue?) -> Device {
        var device = self
        device.store = store ?? version
        return device
    }
}

/// Whether an app may run, and what is asked of the person.
package enum DeviceVerdict: String, Sendable, CaseIterable {
    case available
    case osRecommended
    case appRecommended
    /// The app will not run; the store has a version that will.
    case appTooOldUpdateAvailable
    /// The app will not run, and the store has nothing newer to offer.
    case appTooOld
    /// The app will not run on this version of the system.
    case osTooOld

    package var runs: Bool {
        switch self {
        case .available, .osRecommended, .appRecommended: true
        case .appTooOldUpdateAvailable, .appTooOld, .osTooOld: false
        }
    }
}

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

/// What a device is told by all that is published for it, in one state of a document.
package struct DeviceReading: Equatable, Sendable {
    /// What the shipped apps show.
    package let shown: DeviceOutcome
    /// What clients of Prince of Versions tell their app.
    package let offered: OfferOutcome

    package init(shown: DeviceOutcome, offered: OfferOutcome) {
        (self.shown, self.offered) = (shown, offered)
    }
}

extension Document {
    /// What a device is told once this is published under these settings, while a store has these
    /// releases.
    package func reading(
        on device: Device,
        releases: [KnownRelease],
        _ settings: AppSettings
    ) -> DeviceReading {
        let published = PublishedOffers(self, releases: releases)
        return DeviceReading(
            shown: told(in: settings.profile).decision(
                on: device,
                shipped: settings.shippedLanguages
            ),
            offered: published.outcome(on: OfferedDevice(device))
        )
    }
}

extension OfferedDevice {
    /// Neither its build nor what the app checks by itself is known.
    package init(_ device: Device) {
        self.init(app: device.app, system: device.os)
    }
}
