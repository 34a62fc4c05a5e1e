extension Document {
    /// What the shipped apps show on a device, in the order in which they look.
    ///
    /// Being equal to a threshold is fine in every comparison. What is unset holds nobody back.
    /// Without a generation it is what the newest apps do that were shipped for the platform.
    package func decision(
        on device: Device,
        by generation: ClientGeneration? = nil,
        shipped languages: [LanguageTag]? = nil
    ) -> DeviceOutcome {
        precondition(device.platform == platform, "a device reads its own platform's document")
        var document = self
        if let generation {
            for name in platform.thresholds where !generation.members.contains(name) {
                document[name] = Threshold()
            }
        }
        let known = generation ?? .newest(on: platform)
        let decision = document.decision(on: device, comparing: known?.order ?? .numbers)
        let texts = TextChoice(
            rule: known?.texts ?? .preferred,
            languages: device.languages,
            shipped: languages
        )
        let threshold = decision.threshold.map { document[$0] }
        let isOwn = generation?.isOwn ?? false
        let hasFixedTitle = !isOwn && decision.threshold?.isMinimum ?? true
        return DeviceOutcome(
            verdict: decision.verdict,
            shownTitle: hasFixedTitle ? nil : threshold.map { texts.text(from: $0.titles) },
            shownDescription: threshold.map { texts.text(from: $0.descriptions) },
            because: decision.reason.clause
        )
    }

    private func decision(
        on device: Device,
        comparing order: ClientGeneration.VersionOrder
    ) -> DeviceDecision {
        let shortfall = DocumentLines(self, order).shortfall(of: device)
        return DeviceDecision(shortfall, self, store: device.store)
    }
}

extension ClientGeneration {
    /// The newest of a platform.
    package static func newest(on platform: Platform) -> ClientGeneration? {
        all.last { $0.platform == platform }
    }
}

/// What a device shows, and the threshold that decided it.
private struct DeviceDecision {
    let verdict: DeviceVerdict
    /// `nil` where none is above the device.
    let threshold: ThresholdName?
    let reason: Reason

    enum Reason {
        case below(String, VersionValue)
        case nothingAbove
        case storeHas(VersionValue)
        case storeLacks(VersionValue)
        case storeUnknown(VersionValue)

        var clause: String {
            switch self {
            case .below(let subject, let value): "\(subject) \(value)"
            case .nothingAbove: "no threshold is above it"
            case .storeHas(let value): "the app is older than \(value), which the store has"
            case .storeLacks(let value): "the store does not have the recommended \(value) yet"
            case .storeUnknown(let value):
                "whether the store has the recommended \(value) is unknown"
            }
        }
    }

    init(_ shortfall: Shortfall, _ document: Document, store: VersionValue?) {
        let platform = document.platform
        (verdict, threshold) = shortfall.ruling(on: platform)
        let value = document[threshold ?? .recommendedApp].value
        switch (threshold, value) {
        case (.recommendedApp, let value?) where platform != .android: reason = .storeHas(value)
        case (let threshold?, let value?):
            reason = .below(threshold.clause(on: platform), value)
        case (nil, let value?) where shortfall.contains(.recommendedApp):
            reason = store == nil ? .storeUnknown(value) : .storeLacks(value)
        case (_, _): reason = .nothingAbove
        }
    }
}

extension ThresholdName {
    /// What is true of a device below it, up to its value.
    fileprivate func clause(on platform: Platform) -> String {
        switch (platform == .android, isOfSystem) {
        case (true, true): "the API level is below"
        case (true, false): "the version code is below"
        case (false, true): "the system is older than"
        case (false, false): "the app is older than"
        }
    }
}

/// The lines of a document that a device lies below, and those that its store does not lift it over.
struct Shortfall: OptionSet {
    let rawValue: UInt8

    static let minimumOS = Shortfall(rawValue: 1)
    static let recommendedOS = Shortfall(rawValue: 2)
    static let minimumApp = Shortfall(rawValue: 4)
    static let recommendedApp = Shortfall(rawValue: 8)
    static let minimumInStore = Shortfall(rawValue: 16)
    static let recommendedInStore = Shortfall(rawValue: 32)

    /// What a device shows, and the threshold that decides it.
    ///
    /// The first match wins, so a recommended system hides a recommended app.
    func ruling(on platform: Platform) -> (DeviceVerdict, ThresholdName?) {
        if contains(.minimumOS) { return (.osTooOld, .minimumOS) }
        if contains(.minimumApp) {
            let isStuck = contains(.minimumInStore)
            return (isStuck ? .appTooOld : .appTooOldUpdateAvailable, .minimumApp)
        }
        // Android does not ask the store, so its recommendation may come before the store has it.
        let asksStore = platform != .android
        if asksStore, contains(.recommendedOS) { return (.osRecommended, .recommendedOS) }
        guard contains(.recommendedApp), !asksStore || !contains(.recommendedInStore) else {
            return (.available, nil)
        }
        return (.appRecommended, .recommendedApp)
    }
}

/// The values that devices are compared with, without all that a document says about them.
///
/// What a system, an app and a store each fall short of is told apart: of many devices that have
/// one in common it is asked once.
struct DocumentLines {
    private let order: ClientGeneration.VersionOrder
    private let minimumOS: VersionValue?
    private let recommendedOS: VersionValue?
    private let minimumApp: VersionValue?
    private let recommendedApp: VersionValue?

    init(_ document: Document, _ order: ClientGeneration.VersionOrder) {
        self.order = order
        (minimumOS, recommendedOS) = (document[.minimumOS].value, document[.recommendedOS].value)
        (minimumApp, recommendedApp) = (
            document[.minimumApp].value, document[.recommendedApp].value
        )
    }

    /// As the newest apps compare that were shipped for the platform.
    init(_ document: Document) {
        self.init(document, ClientGeneration.newest(on: document.platform)?.order ?? .numbers)
    }

    func shortfall(of device: Device) -> Shortfall {
        [shortfall(ofSystem: device.os, store: device.store), shortfall(ofApp: device.app)]
    }

    func shortfall(ofSystem system: VersionValue, store: VersionValue?) -> Shortfall {
        var shortfall: Shortfall = []
        if lies(system, below: minimumOS) { shortfall.insert(.minimumOS) }
        if lies(system, below: recommendedOS) { shortfall.insert(.recommendedOS) }
        // A store that is not known has nothing.
        guard let store else { return shortfall.union([.minimumInStore, .recommendedInStore]) }
        if lies(store, below: minimumApp) { shortfall.insert(.minimumInStore) }
        if lies(store, below: recommendedApp) { shortfall.insert(.recommendedInStore) }
        return shortfall
    }

    func shortfall(ofApp app: VersionValue) -> Shortfall {
        var shortfall: Shortfall = []
        if lies(app, below: minimumApp) { shortfall.insert(.minimumApp) }
        if lies(app, below: recommendedApp) { shortfall.insert(.recommendedApp) }
        return shortfall
    }

    /// Being equal to a line is fine, and what is unset holds nobody back.
    private func lies(_ version: VersionValue, below line: VersionValue?) -> Bool {
        line.map { order.isOlder(version, than: $0) } ?? false
    }
}
