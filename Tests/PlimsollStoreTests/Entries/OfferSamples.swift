import PlimsollDomain
import PlimsollJSON
import PlimsollStore
import PlimsollTestSupport

/// Offers with all that they can say, as the golden files hold them.
enum OfferSamples {
    /// As files of the first shape have them: all values are texts.
    static func texts() throws -> [Offer] {
        [
            Offer(
                required: version("3.2.0-15", .ios),
                last: version("3.4.0", .ios),
                notification: .always,
                requirements: OfferRequirements(
                    system: version("17.0.0", .ios),
                    custom: [requirement("region"): OfferValue(try text("EU \"27\""))]
                ),
                metadata: [
                    metadata("required.title.de-AT"): OfferValue(try text("Zu alt\nleider")),
                    metadata("channel_1"): OfferValue(try text("beta")),
                ]
            ),
            Offer(last: .nothing(on: .ios)),
        ]
    }

    /// With values of every type.
    static func list() throws -> [Offer] {
        var list = try texts()
        list[0].metadata[metadata("hard")] = try OfferValue(validating: true)
        list[0].metadata[metadata("limit")] = try OfferValue(validating: -4)
        list[0].metadata[metadata("empty")] = try OfferValue(validating: "")
        list[0].requirements.custom[requirement("level")] = try OfferValue(validating: 4)
        return list
    }

    static func event(_ type: EventType, shape: Int?) throws -> AppEvent {
        type == .legacyOfferReplaced
            ? .legacyOfferReplaced(.ios, legacy) : .offersReplaced(.ios, try list(shape: shape))
    }

    static func list(shape: Int?) throws -> [Offer] { try shape == 1 ? texts() : list() }

    /// As files of the second shape have them.
    static func textOperations() throws -> [Operation] { try operations(onlyTexts: true) }

    static func operations(onlyTexts: Bool = false) throws -> [Operation] {
        var code = Offer(
            required: version("320", .android),
            requirements: OfferRequirements(system: version("26", .android))
        )
        if !onlyTexts {
            code.metadata[metadata("rollout")] = try OfferValue(
                validating: ["percent": [10, 50], "a": ["b": false]]
            )
        }
        return [
            Operation(.ios, offers: .set(try onlyTexts ? texts() : list())),
            Operation(.android, offers: .insert(.nothing(on: .android), at: 0)),
            Operation(.android, offers: .replace(1, with: code)),
            Operation(.android, offers: .move(from: 1, to: 0)),
            Operation(.android, offers: .remove(2)),
        ]
    }

    /// An object for clients before 4.0 as an app had it, its versions as they were written.
    static let legacy = LegacyOffer(
        minimum: .init("3", system: version("12.0.0", .ios)),
        latest: .init("3.4-15", system: version("15.0.0", .ios)),
        notification: .always
    )

    static let legacyOperations = [
        Operation(.ios, legacy: legacy), Operation(.macos, legacy: nil),
    ]

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
