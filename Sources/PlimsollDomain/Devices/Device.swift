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
