/// A device that stands for many when one state of a document takes the place of another.
///
/// Which ones they are follows from the two states alone, so that the same question has the same
/// answer whoever asks.
package struct TypicalDevice: Equatable, Sendable {
    package let kind: Kind
    package let device: Device

    /// Why it is looked at.
    package enum Kind: String, CaseIterable, Sendable {
        /// Everything on it is as new as any line of the two states, and the store has nothing newer.
        case current
        /// Its app lies just below the higher of the two minima, or below the newest where there
        /// is none.
        case belowMinimum
        /// Its system is the oldest that one of the two states lets through.
        case oldestSystem
    }

    package init(kind: Kind, device: Device) {
        self.kind = kind
        self.device = device
    }

    /// The devices for two states of a document; none where a platform without thresholds has no
    /// offers of its own in either.
    package static func devices(
        for before: Document,
        and after: Document,
        language: LanguageTag
    ) -> [TypicalDevice] {
        precondition(before.platform == after.platform, "states of one document are compared")
        guard
            !before.platform.thresholds.isEmpty || !before.offers.isEmpty || !after.offers.isEmpty
        else { return [] }
        let lines = Lines(before: before, after: after)
        return Kind.allCases.compactMap { kind in
            let device = Device(
                platform: before.platform,
                os: kind == .oldestSystem ? lines.oldestSystem : lines.currentSystem,
                app: kind == .belowMinimum ? lines.oldApp : lines.currentApp,
                store: lines.currentApp,
                language: language
            )
            return device.map { TypicalDevice(kind: kind, device: $0) }
        }
    }
}

/// What a device is told before and after.
package struct DeviceOutlook: Equatable, Sendable {
    package let typical: TypicalDevice
    package let before: DeviceReading
    package let after: DeviceReading

    package init(typical: TypicalDevice, before: DeviceReading, after: DeviceReading) {
        (self.typical, self.before, self.after) = (typical, before, after)
    }

    /// What typical devices make of two states of a document, while a store has these releases.
    package static func outlooks(
        from before: Document,
        to after: Document,
        releases: [KnownRelease],
        _ settings: AppSettings
    ) -> [DeviceOutlook] {
        let language = settings.fallbackLanguage
        return TypicalDevice.devices(for: before, and: after, language: language).map { typical in
            DeviceOutlook(
                typical: typical,
                before: before.reading(on: typical.device, releases: releases, settings),
                after: after.reading(on: typical.device, releases: releases, settings)
            )
        }
    }
}

/// The versions that two states of a document draw lines at, offers of their own included.
private struct Lines {
    let before: Document
    let after: Document

    var currentSystem: VersionValue {
        let offered = offers.compactMap(\.requirements.system).compactMap(VersionValue.init)
        return (values([.minimumOS, .recommendedOS]) + offered).highest
            ?? .first(before.platform.systemKind)
    }

    var currentApp: VersionValue {
        let offered = versions(\.required) + versions(\.last)
        return (values([.minimumApp, .recommendedApp]) + offered).highest ?? firstApp
    }

    var oldApp: VersionValue {
        let minima = values([.minimumApp]) + versions(\.required)
        return (minima.highest ?? currentApp).preceding ?? firstApp
    }

    /// Where only one of them has a minimum, the other lets through what lies below it.
    var oldestSystem: VersionValue {
        let minima = values([.minimumOS])
        let first = VersionValue.first(before.platform.systemKind)
        guard let lowest = minima.min(by: { $0.isOlder(than: $1) }) else { return first }
        return minima.count == 2 ? lowest : lowest.preceding ?? first
    }

    private var firstApp: VersionValue { .first(before.platform.versionKind) }

    private var offers: [Offer] { before.offers + after.offers }

    private func values(_ names: [ThresholdName]) -> [VersionValue] {
        [before, after].flatMap { document in
            names.compactMap { document[$0].value }.filter(\.holdsSomebodyBack)
        }
    }

    /// A device's build is not known, so that it is past one only with the next version.
    private func versions(_ version: KeyPath<Offer, OfferVersion?>) -> [VersionValue] {
        offers.compactMap { $0[keyPath: version] }.filter { !$0.isNothing }
            .compactMap { VersionValue($0.pastBuild) }
    }
}

extension [VersionValue] {
    fileprivate var highest: VersionValue? { self.max { $0.isOlder(than: $1) } }
}
