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

    /// The devices for two states of a document; none for a platform without thresholds.
    package static func devices(
        for before: Document,
        and after: Document,
        language: LanguageTag
    ) -> [TypicalDevice] {
        precondition(before.platform == after.platform, "states of one document are compared")
        guard !before.platform.thresholds.isEmpty else { return [] }
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

/// What a device shows before and after.
package struct DeviceOutlook: Equatable, Sendable {
    package let typical: TypicalDevice
    package let before: DeviceOutcome
    package let after: DeviceOutcome

    package init(typical: TypicalDevice, before: DeviceOutcome, after: DeviceOutcome) {
        self.typical = typical
        self.before = before
        self.after = after
    }

    /// What typical devices make of two states of a document.
    package static func outlooks(
        from before: Document,
        to after: Document,
        language: LanguageTag
    ) -> [DeviceOutlook] {
        TypicalDevice.devices(for: before, and: after, language: language).map { typical in
            DeviceOutlook(
                typical: typical,
                before: before.decision(on: typical.device),
                after: after.decision(on: typical.device)
            )
        }
    }
}

/// The versions that two states of a document draw lines at.
private struct Lines {
    let before: Document
    let after: Document

    var currentSystem: VersionValue { highest([.minimumOS, .recommendedOS]) ?? first }

    var currentApp: VersionValue { highest([.minimumApp, .recommendedApp]) ?? first }

    var oldApp: VersionValue { (highest([.minimumApp]) ?? currentApp).preceding ?? first }

    /// Where only one of them has a minimum, the other lets through what lies below it.
    var oldestSystem: VersionValue {
        let minima = values([.minimumOS])
        guard let lowest = minima.min(by: { $0.isOlder(than: $1) }) else { return first }
        return minima.count == 2 ? lowest : lowest.preceding ?? first
    }

    private func highest(_ names: [ThresholdName]) -> VersionValue? {
        values(names).max { $0.isOlder(than: $1) }
    }

    private func values(_ names: [ThresholdName]) -> [VersionValue] {
        [before, after].flatMap { document in
            names.compactMap { document[$0].value }.filter(\.holdsSomebodyBack)
        }
    }

    private var first: VersionValue { .first(before.platform.versionKind) }
}

extension VersionValue {
    /// The first version there can be.
    fileprivate static func first(_ kind: VersionKind) -> VersionValue {
        switch kind {
        case .dotted: .dotted(.first)
        case .integer: .integer(.first)
        }
    }
}
