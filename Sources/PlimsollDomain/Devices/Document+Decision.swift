extension Document {
    /// What the shipped apps show on a device, in the order in which they look.
    ///
    /// Being equal to a threshold is fine in every comparison. What is unset holds nobody back.
    package func decision(on device: Device) -> DeviceOutcome {
        precondition(device.platform == platform, "a device reads its own platform's document")
        return platform == .android ? androidDecision(device) : appleDecision(device)
    }

    /// The first match wins, so a recommended system hides a recommended app.
    private func appleDecision(_ device: Device) -> DeviceOutcome {
        if let minimum = floor(.minimumOS, above: device.os) {
            return outcome(.osTooOld, .minimumOS, device, "the system is older than \(minimum)")
        }
        if let minimum = floor(.minimumApp, above: device.app) {
            let verdict = appTooOld(minimum, device)
            return outcome(verdict, .minimumApp, device, "the app is older than \(minimum)")
        }
        if let advised = floor(.recommendedOS, above: device.os) {
            return outcome(
                .osRecommended,
                .recommendedOS,
                device,
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
        guard !store.isOlder(than: advised) else {
            return .available(because: "the store does not have the recommended \(advised) yet")
        }
        return outcome(
            .appRecommended,
            .recommendedApp,
            device,
            "the app is older than \(advised), which the store has"
        )
    }

    /// The recommendation does not ask the store, so it may come before the store has it.
    private func androidDecision(_ device: Device) -> DeviceOutcome {
        if let minimum = floor(.minimumOS, above: device.os) {
            return outcome(.osTooOld, .minimumOS, device, "the API level is below \(minimum)")
        }
        if let minimum = floor(.minimumApp, above: device.app) {
            let verdict = appTooOld(minimum, device)
            return outcome(verdict, .minimumApp, device, "the version code is below \(minimum)")
        }
        if let advised = floor(.recommendedApp, above: device.app) {
            return outcome(
                .appRecommended,
                .recommendedApp,
                device,
                "the version code is below \(advised)"
            )
        }
        return .available(because: "no threshold is above it")
    }

    private func appTooOld(_ minimum: VersionValue, _ device: Device) -> DeviceVerdict {
        guard let store = device.store, !store.isOlder(than: minimum) else { return .appTooOld }
        return .appTooOldUpdateAvailable
    }

    /// The value of a threshold that the version lies below.
    private func floor(_ name: ThresholdName, above version: VersionValue) -> VersionValue? {
        self[name].value.flatMap { version.isOlder(than: $0) ? $0 : nil }
    }

    private func outcome(
        _ verdict: DeviceVerdict,
        _ name: ThresholdName,
        _ device: Device,
        _ because: String
    ) -> DeviceOutcome {
        let threshold = self[name]
        let choice = TextChoice(platform: platform, language: device.language)
        return DeviceOutcome(
            verdict: verdict,
            title: name.isMinimum ? nil : choice.text(from: threshold.titles),
            description: choice.text(from: threshold.descriptions),
            because: because
        )
    }
}

extension DeviceOutcome {
    fileprivate static func available(because: String) -> DeviceOutcome {
        DeviceOutcome(verdict: .available, title: nil, description: nil, because: because)
    }
}
