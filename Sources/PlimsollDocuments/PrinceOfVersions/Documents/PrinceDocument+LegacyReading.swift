import PlimsollDomain
import PlimsollJSON

extension ObjectReader {
    /// The objects under the names without a 2, in a document for all generations.
    mutating func legacyOffers() -> [Platform: LegacyOffer] {
        var offers: [Platform: LegacyOffer] = [:]
        for platform in Platform.allCases where platform.hasLegacyClients {
            let key = platform.rawValue
            guard object[key] != nil else { continue }
            guard object[key]?.array == nil else {
                refuse(
                    key,
                    "Offers stand under \(key) and \(key)2; clients differ in which they take."
                )
                continue
            }
            offers[platform] = optionalObject(key) { $0.legacyOffer(on: platform) }
        }
        return offers
    }

    private mutating func legacyOffer(on platform: Platform) -> LegacyOffer? {
        let minimum = legacyVersion("minimum_version", "minimum_version_min_sdk", of: platform)
        let read = { (reader: inout ObjectReader) -> (LegacyOffer.Version?, OfferNotification)? in
            let version = reader.legacyVersion("version", "min_sdk", of: platform)
            let notification = reader.string(
                "notification_type",
                needing: "ALWAYS or ONCE",
                OfferNotification.init
            )
            if version == nil, reader.object["version"] == nil {
                reader.refuse("version", "This member is missing; a version is needed.")
            }
            return notification.map { (version, $0) }
        }
        // Android does without a latest version, the others refuse the document.
        let latest =
            platform == .android
            ? optionalObject("latest_version", read) : object("latest_version", read)
        if platform == .android, minimum == nil, latest == nil {
            refuse("minimum_version", "Neither a minimum nor a latest version is there; set one.")
        }
        return LegacyOffer(
            minimum: minimum,
            latest: latest?.0,
            notification: latest?.1 ?? .once
        )
    }

    private mutating func legacyVersion(
        _ key: String,
        _ systemKey: String,
        of platform: Platform
    ) -> LegacyOffer.Version? {
        let text = optionalString(key, needing: "three whole numbers between dots, such as 3.2.0") {
            LegacyOffer.isVersion($0, on: platform) ? $0 : nil
        }
        let system: OfferVersion? =
            platform.systemKind == .dotted
            ? optionalString(systemKey, needing: "a version such as 15.0.0") {
                OfferVersion(written: $0, on: .jvm)
            }
            : optionalMember(systemKey, needing: AndroidVersion.grammar) {
                $0.integer.flatMap(AndroidVersion.init).map(OfferVersion.init(level:))
            }
        if text == nil, object[key] == nil, system != nil {
            refuse(systemKey, "There is no version that could need the system; leave it out.")
        }
        return text.map { LegacyOffer.Version($0, system: system) }
    }
}
