import PlimsollDocuments
import PlimsollDomain

/// Devices of one platform: every installed version on every system, testers and others.
struct PrinceFleet {
    let devices: [Phone]

    init(_ platform: Platform) throws {
        devices = try [1, 2, 3, 4].flatMap { app in
            try [14, 15].flatMap { system in
                try [true, false].map { isTester in
                    Phone(
                        app: try PrinceSamples.version(app, on: platform),
                        system: try PrinceSamples.system(system, on: platform),
                        isTester: isTester
                    )
                }
            }
        }
    }

    struct Phone {
        let app: OfferVersion
        let system: OfferVersion
        let isTester: Bool

        /// Looks twice, as an app does that is started twice.
        func check(_ client: PrinceOfVersionsClient, _ bytes: [UInt8]) -> [PrinceOfVersionsStatus] {
            var memory = PrinceOfVersionsMemory()
            let device = PrinceOfVersionsDevice(
                appVersion: app.description,
                os: system.description,
                requirements: isTester ? ["tester": "yes"] : [:]
            )
            return (0..<2).map { _ in
                client.check(bytes, on: device, remembering: &memory).status
            }
        }

        /// The rule of the format, on the offers themselves.
        func expected(of offers: [Offer]) -> [PrinceOfVersionsStatus] {
            let met = offers.first { offer in
                let system = offer.requirements.system.map { $0 <= self.system } ?? true
                return system && (isTester || offer.requirements.custom.isEmpty)
            }
            guard let met else { return [.error, .error] }
            if let required = met.required, app < required {
                return [.requiredUpdateNeeded, .requiredUpdateNeeded]
            }
            guard let last = met.last, app < last else {
                return [.noUpdateAvailable, .noUpdateAvailable]
            }
            return met.notification == .always
                ? [.newUpdateAvailable, .newUpdateAvailable]
                : [.newUpdateAvailable, .noUpdateAvailable]
        }
    }
}
