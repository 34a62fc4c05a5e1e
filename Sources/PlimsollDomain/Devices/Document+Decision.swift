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

    /// What the newest shipped apps show on a device, without texts and words.
    func verdict(on device: Device) -> DeviceVerdict {
        let order = ClientGeneration.newest(on: platform)?.order ?? .numbers
        return decision(on: device, comparing: order).verdict
    }

    private func decision(
        on device: Device,
        comparing order: ClientGeneration.VersionOrder
    ) -> DeviceDecision {
        let comparison = DeviceComparison(document: self, device: device, order: order)
        return platform == .android ? comparison.android : comparison.apple
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

    init(_ verdict: DeviceVerdict, by threshold: ThresholdName, _ reason: Reason) {
        (self.verdict, self.threshold, self.reason) = (verdict, threshold, reason)
    }

    private init(availableBecause reason: Reason) {
        (verdict, threshold, self.reason) = (.available, nil, reason)
    }

    static func available(because reason: Reason) -> DeviceDecision {
        DeviceDecision(availableBecause: reason)
    }
}

/// One device and one document.
private struct DeviceComparison {
    let document: Document
    let device: Device
    let order: ClientGeneration.VersionOrder

    /// The first match wins, so a recommended system hides a recommended app.
    var apple: DeviceDecision {
        let (os, app) = ("the system is older than", "the app is older than")
        if let minimum = floor(.minimumOS, above: device.os) {
            return DeviceDecision(.osTooOld, by: .minimumOS, .below(os, minimum))
        }
        if let minimum = floor(.minimumApp, above: device.app) {
            return DeviceDecision(appTooOld(minimum), by: .minimumApp, .below(app, minimum))
        }
        if let advised = floor(.recommendedOS, above: device.os) {
            return DeviceDecision(.osRecommended, by: .recommendedOS, .below(os, advised))
        }
        guard let advised = floor(.recommendedApp, above: device.app) else {
            return .available(because: .nothingAbove)
        }
        guard let store = device.store else { return .available(because: .storeUnknown(advised)) }
        guard !order.isOlder(store, than: advised) else {
            return .available(because: .storeLacks(advised))
        }
        return DeviceDecision(.appRecommended, by: .recommendedApp, .storeHas(advised))
    }

    /// The recommendation does not ask the store, so it may come before the store has it.
    var android: DeviceDecision {
        let (level, code) = ("the API level is below", "the version code is below")
        if let minimum = floor(.minimumOS, above: device.os) {
            return DeviceDecision(.osTooOld, by: .minimumOS, .below(level, minimum))
        }
        if let minimum = floor(.minimumApp, above: device.app) {
            return DeviceDecision(appTooOld(minimum), by: .minimumApp, .below(code, minimum))
        }
        if let advised = floor(.recommendedApp, above: device.app) {
            return DeviceDecision(.appRecommended, by: .recommendedApp, .below(code, advised))
        }
        return .available(because: .nothingAbove)
    }

    private func appTooOld(_ minimum: VersionValue) -> DeviceVerdict {
        guard let store = device.store, !order.isOlder(store, than: minimum) else {
            return .appTooOld
        }
        return .appTooOldUpdateAvailable
    }

    /// The value of a threshold that the version lies below.
    private func floor(_ name: ThresholdName, above version: VersionValue) -> VersionValue? {
        document[name].value.flatMap { order.isOlder(version, than: $0) ? $0 : nil }
    }
}
