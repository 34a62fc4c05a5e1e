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
        let choice = DeviceDecision(
            document: document,
            device: device,
            order: known?.order ?? .numbers,
            texts: TextChoice(
                rule: known?.texts ?? .preferred,
                languages: device.languages,
                shipped: languages
            )
        )
        return platform == .android ? choice.android : choice.apple
    }
}

extension ClientGeneration {
    /// The newest of a platform.
    package static func newest(on platform: Platform) -> ClientGeneration? {
        all.last { $0.platform == platform }
    }
}

/// One device and one document.
private struct DeviceDecision {
    let document: Document
    let device: Device
    let order: ClientGeneration.VersionOrder
    let texts: TextChoice

    /// The first match wins, so a recommended system hides a recommended app.
    var apple: DeviceOutcome {
        if let minimum = floor(.minimumOS, above: device.os) {
            return outcome(.osTooOld, .minimumOS, "the system is older than \(minimum)")
        }
        if let minimum = floor(.minimumApp, above: device.app) {
            return outcome(appTooOld(minimum), .minimumApp, "the app is older than \(minimum)")
        }
        if let advised = floor(.recommendedOS, above: device.os) {
            return outcome(
                .osRecommended,
                .recommendedOS,
                "the system is older than \(advised)"
            )
        }
        guard let advised = floor(.recommendedApp, above: device.app) else {
            return .available(because: "no threshold is above it")
        }
        guard let store = device.store else {
            return .available(
                because: "whether the store has the recommended \(advised) is unknown"
            )
        }
        guard !order.isOlder(store, than: advised) else {
            return .available(because: "the store does not have the recommended \(advised) yet")
        }
        return outcome(
            .appRecommended,
            .recommendedApp,
            "the app is older than \(advised), which the store has"
        )
    }

    /// The recommendation does not ask the store, so it may come before the store has it.
    var android: DeviceOutcome {
        if let minimum = floor(.minimumOS, above: device.os) {
            return outcome(.osTooOld, .minimumOS, "the API level is below \(minimum)")
        }
        if let minimum = floor(.minimumApp, above: device.app) {
            return outcome(
                appTooOld(minimum),
                .minimumApp,
                "the version code is below \(minimum)"
            )
        }
        if let advised = floor(.recommendedApp, above: device.app) {
            return outcome(
                .appRecommended,
                .recommendedApp,
                "the version code is below \(advised)"
            )
        }
        return .available(because: "no threshold is above it")
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

    private func outcome(
        _ verdict: DeviceVerdict,
        _ name: ThresholdName,
        _ because: String
    ) -> DeviceOutcome {
        let threshold = document[name]
        return DeviceOutcome(
            verdict: verdict,
            shownTitle: name.isMinimum ? nil : texts.text(from: threshold.titles),
            shownDescription: texts.text(from: threshold.descriptions),
            because: because
        )
    }
}

extension DeviceOutcome {
    fileprivate static func available(because: String) -> DeviceOutcome {
        DeviceOutcome(verdict: .available, title: nil, description: nil, because: because)
    }
}
