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
