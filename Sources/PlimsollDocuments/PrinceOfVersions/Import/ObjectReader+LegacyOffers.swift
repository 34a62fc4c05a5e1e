import PlimsollDomain
import PlimsollJSON

extension ObjectReader {
    /// What stands there for clients before 4.0, to be told word for word; `nil` where there is
    /// nothing, or nothing that all of them read.
    func keptLegacy(of platform: Platform) -> LegacyOffer? {
        guard let object = object[platform.rawValue]?.object, object.isLegacy else { return nil }
        var json = object.kept(["minimum_version", "minimum_version_min_sdk"])
        if var latest = object["latest_version"]?.object?.kept(["version", "min_sdk"]) {
            let written = object["latest_version"]?["notification_type"]?.string ?? ""
            // Android's clients take it in any case, Apple's in capitals alone.
            let isAlways = (platform == .android ? written.uppercased() : written) == "ALWAYS"
            latest["notification_type"] = .string(isAlways ? "ALWAYS" : "ONCE")
            json["latest_version"] = .object(latest)
        }
        return LegacyOffer(.object(json), on: platform)
    }

    /// Offers that say what an object of the form before 4.0 says to its clients: each of its two
    /// versions from its own system on, and nothing to devices below both.
    mutating func legacyTold(
        under key: String,
        of platform: Platform,
        beside shared: JSONObject?
    ) -> Told? {
        guard platform != .android else { return androidTold(under: key, beside: shared) }
        let place = pointer.appending(key)
        let lines = object(key).flatMap { object in
            nested(object, at: place, .ignored) { $0.legacyLines(on: platform) }
        }
        guard let lines else { return nil }
        let (metadata, losses) = (shared ?? [:]).importedMetadata(under: "meta", of: platform)
        var document = Document(platform: platform)
        document.offers = lines.offers(on: platform, metadata)
        let told =
            "\(key): clients from 4.0 on cannot read it, and are told the same as older ones from now on"
        return Told(document: document, losses: losses + [told])
    }

    /// Names of versions tell nothing to clients that compare version codes, so the object is kept
    /// for those that it is for, and nothing becomes of offers or thresholds.
    private mutating func androidTold(under key: String, beside shared: JSONObject?) -> Told? {
        guard keptLegacy(of: .android) != nil else {
            refuse(key, "Found something else; \(LegacyOffer.grammar) is needed.")
            return nil
        }
        _ = value(key)
        let names = (shared ?? [:]).keys.map {
            "meta: “\($0)” is not kept, since no offer of android has it"
        }
        let told =
            "\(key): clients from 4.0 on compare version codes, which stand under android2; they are"
            + " told what the app's own offers or thresholds say"
        return Told(document: Document(platform: .android), losses: names + [told])
    }

    private mutating func legacyLines(on platform: Platform) -> LegacyLines? {
        var lines = LegacyLines()
        lines.minimum = importedVersion("minimum_version", of: platform)
        lines.minimumSystem = importedSystem("minimum_version_min_sdk")
        let latest = optionalObject("latest_version") ?? [:]
        let place = pointer.appending("latest_version")
        let read = nested(latest, at: place, .ignored) { reader -> LegacyLines? in
            lines.latest = reader.importedVersion("version", of: platform)
            lines.latestSystem = reader.importedSystem("min_sdk")
            let isAlways = reader.optionalString("notification_type") == "ALWAYS"
            lines.notification = isAlways ? .always : .once
            return lines
        }
        if lines.minimum == nil, lines.latest == nil {
            refuse("minimum_version", "There is no version here that clients read; set one.")
        }
        return read
    }

    private mutating func importedSystem(_ key: String) -> OfferVersion? {
        optionalMember(key, needing: AppleVersion.grammar) {
            $0.string.flatMap(AppleVersion.init).flatMap { OfferVersion(.dotted($0)) }
        }
    }
}

/// Two versions, each with the system from which on it counts.
private struct LegacyLines {
    var minimum: OfferVersion?
    var minimumSystem: OfferVersion?
    var latest: OfferVersion?
    var latestSystem: OfferVersion?
    var notification = OfferNotification.once

    func offers(on platform: Platform, _ metadata: [MetadataName: OfferValue]) -> [Offer] {
        let nothing = OfferVersion.nothing(on: platform)
        let (low, high) = (minimumSystem ?? nothing, latestSystem ?? nothing)
        var offers: [Offer] = []
        for system in Set([low, high, nothing]).sorted(by: >) {
            let required = low <= system ? minimum.flatMap { $0.isNothing ? nil : $0 } : nil
            let last = high <= system ? latest : nil
            let offer = Offer(
                required: required,
                last: last ?? (required == nil ? nothing : nil),
                notification: notification,
                requirements: OfferRequirements(system: system.isNothing ? nil : system),
                metadata: metadata
            )
            offers.append(offer)
        }
        return offers
    }
}

extension JSONObject {
    /// Those of its members that are there.
    fileprivate func kept(_ keys: [String]) -> JSONObject {
        var kept = JSONObject()
        for key in keys where self[key] != .null { kept[key] = self[key] }
        return kept
    }
}
