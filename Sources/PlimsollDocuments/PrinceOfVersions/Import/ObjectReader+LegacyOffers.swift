import PlimsollDomain
import PlimsollJSON

extension ObjectReader {
    /// Offers that say what an object of the form before 4.0 says to its clients: each of its two
    /// versions from its own system on, and nothing to devices below both.
    mutating func legacyTold(
        under key: String,
        of platform: Platform,
        beside shared: JSONObject?
    ) -> Told? {
        guard platform != .android else {
            refuse(
                key,
                "The versions are names; Android needs version codes, under android2."
            )
            return nil
        }
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
