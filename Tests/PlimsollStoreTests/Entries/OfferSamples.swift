import PlimsollDomain
import PlimsollTestSupport

/// Offers with all that they can say, as the golden files hold them.
enum OfferSamples {
    static func list() throws -> [Offer] {
        [
            Offer(
                required: version("3.2.0-15", .ios),
                last: version("3.4.0", .ios),
                notification: .always,
                requirements: OfferRequirements(
                    system: version("17.0.0", .ios),
                    custom: [requirement("region"): try text("EU \"27\"")]
                ),
                metadata: [
                    metadata("required.title.de-AT"): try text("Zu alt\nleider"),
                    metadata("channel_1"): try text("beta"),
                ]
            ),
            Offer(last: .nothing(on: .ios)),
        ]
    }

    static func operations() throws -> [Operation] {
        let code = Offer(
            required: version("320", .android),
            requirements: OfferRequirements(system: version("26", .android))
        )
        return [
            Operation(.ios, offers: .set(try list())),
            Operation(.android, offers: .insert(.nothing(on: .android), at: 0)),
            Operation(.android, offers: .replace(1, with: code)),
            Operation(.android, offers: .move(from: 1, to: 0)),
            Operation(.android, offers: .remove(2)),
        ]
    }

    private static func version(_ text: String, _ platform: Platform) -> OfferVersion {
        guard let version = OfferVersion(written: text, on: platform) else {
            preconditionFailure("\(text) is no version of \(platform.rawValue)")
        }
        return version
    }

    private static func requirement(_ text: String) -> RequirementName {
        guard let name = RequirementName(text) else {
            preconditionFailure("\(text) is no name of a requirement")
        }
        return name
    }

    private static func metadata(_ text: String) -> MetadataName {
        guard let name = MetadataName(text) else {
            preconditionFailure("\(text) is no name of metadata")
        }
        return name
    }
}
