import PlimsollDomain
import PlimsollJSON

/// A platform's offers as a document has them, whoever wrote it.
struct ImportedOffers {
    let offers: [Offer]
    /// What could not be taken over, as sentences.
    let losses: [String]
}

extension ObjectReader {
    /// Reads an array of offers, or the one that stands for it; what clients do not read alike is
    /// refused, and what none of them ever selects is left out.
    mutating func importedOffers(
        under key: String,
        of platform: Platform,
        beside shared: JSONObject?
    ) -> ImportedOffers? {
        guard let entries = importedEntries(under: key, of: platform, beside: shared) else {
            return nil
        }
        if entries.isEmpty { refuse(key, "Found no offer; at least one is needed.") }
        var offers: [Offer] = []
        var losses: [String] = []
        var isFaulty = entries.isEmpty
        for (index, entry) in entries.enumerated() {
            let faults = (offers + entry.offers).faults(at: offers.count, on: platform)
            losses += entry.losses.filter { !losses.contains($0) }
            if let never = faults.first(where: { $0.earlierPlace != nil }) {
                let earlier = entries.indices.first {
                    entries[$0].offers == [offers[never.earlierPlace ?? 0]]
                }
                losses.append(
                    "\(key): entry \(index) is left out, because every device that meets it meets entry"
                        + " \(earlier ?? 0) before; no client ever selects it"
                )
                continue
            }
            for fault in faults {
                let place = pointer.appending(key).appending(index)
                refuse(JSONIssue(pointer: place, detail: fault.sentence))
                isFaulty = true
            }
            offers += entry.offers
        }
        return isFaulty ? nil : ImportedOffers(offers: offers, losses: losses)
    }

    private mutating func importedEntries(
        under key: String,
        of platform: Platform,
        beside shared: JSONObject?
    ) -> [ImportedOffers]? {
        let read = { (reader: inout ObjectReader) in
            reader.importedOffer(on: platform, beside: shared, named: key)
        }
        guard object[key]?.array == nil else { return objects(key, .ignored, read) }
        guard let entry = self.object(key) else { return nil }
        return nested(entry, at: pointer.appending(key), .ignored, read).map { [$0] }
    }

    private mutating func importedOffer(
        on platform: Platform,
        beside shared: JSONObject?,
        named key: String
    ) -> ImportedOffers? {
        refuseNamesOfAppleClients(on: platform)
        let required = importedVersion("required_version", of: platform)
        let last = importedVersion("last_version_available", of: platform)
        let notification =
            optionalString("notify_last_version_frequency", needing: "ALWAYS or ONCE") {
                // All but the native clients of Apple's platforms take any other word for ONCE.
                OfferNotification(rawValue: $0.uppercased())
                    ?? (platform.offersBuilds ? nil : .once)
            } ?? .once
        let requirements =
            optionalObject("requirements") { $0.importedRequirements(of: platform) }
            ?? OfferRequirements()
        let (own, losses) = (optionalObject("meta") ?? [:])
            .importedMetadata(under: key, of: platform)
        let metadata = (shared ?? [:]).importedMetadata(under: "meta", of: platform).metadata
        let offer = Offer(
            required: required?.isNothing == true ? nil : required,
            last: last ?? (required?.isNothing == true ? .nothing(on: platform) : nil),
            notification: notification,
            requirements: requirements,
            metadata: metadata.merging(own) { $1 }
        )
        return ImportedOffers(offers: [offer], losses: losses)
    }

    /// Apple's clients since 4.0 read these as well, and no others do.
    mutating func refuseNamesOfAppleClients(on platform: Platform) {
        guard platform.offersBuilds else { return }
        for key in ["required_version", "last_version_available", "notify_last_version_frequency"] {
            for name in object.keys where name != key && name.camelCased == key.camelCased {
                refuse(name, "Some clients read this member, and others do not; write \(key).")
            }
        }
    }

    mutating func importedVersion(_ key: String, of platform: Platform) -> OfferVersion? {
        optionalMember(key, needing: OfferVersion.grammar(on: platform)) { value in
            switch (platform.versionKind, value) {
            case (.dotted, .string(let text)): OfferVersion(imported: text, on: platform)
            case (.integer, .integer(let number)):
                OfferVersion(written: String(number), on: platform)
            default: nil
            }
        }
    }

    private mutating func importedRequirements(of platform: Platform) -> OfferRequirements? {
        let key = platform.systemRequirement
        let system =
            platform.systemKind == .dotted
            ? importedSystem(key)
            : importedLevel(key)
        var custom: [RequirementName: OfferValue] = [:]
        for name in object.keys where name != key {
            guard let requirement = RequirementName(name) else {
                _ = value(name)
                refuse(name, "Found another name; \(RequirementName.grammar) are needed.")
                continue
            }
            guard !platform.offersBuilds || name.camelCased != key.camelCased else {
                _ = value(name)
                refuse(
                    name,
                    "Some clients take it for the system's, and others ask the app; write \(key)."
                )
                continue
            }
            // Null is met on some clients by everybody, and on others by nobody.
            custom[requirement] = member(name, needing: OfferValue.grammar) {
                try? OfferValue(validating: $0)
            }
        }
        // No device is older than nothing.
        return OfferRequirements(system: system?.isNothing == true ? nil : system, custom: custom)
    }

    /// Null is no requirement to one of Android's clients, and met by nobody to the other.
    private mutating func importedLevel(_ key: String) -> OfferVersion? {
        guard object[key] != nil else { return nil }
        return member(key, needing: AndroidVersion.grammar) {
            // Clients on Android and the JVM read digits in a text as well.
            ($0.integer ?? $0.string.flatMap { Int64($0) })
                .flatMap(AndroidVersion.init).map(OfferVersion.init(level:))
        }
    }
}

extension JSONObject {
    /// Values that can be handed on as they stand, and what is lost of the rest.
    func importedMetadata(
        under key: String,
        of platform: Platform
    ) -> (metadata: [MetadataName: OfferValue], losses: [String]) {
        var (metadata, losses) = ([MetadataName: OfferValue](), [String]())
        for member in members {
            guard member.value != .null else {
                losses.append(
                    "\(key): “\(member.key)” is null and left out, as it is nothing to all clients then"
                )
                continue
            }
            guard let name = MetadataName(member.key),
                let value = try? OfferValue(validating: member.value)
            else {
                losses.append("\(key): “\(member.key)” is not kept")
                continue
            }
            guard !(value.isNested && platform.losesNestedValues) else {
                losses.append(
                    "\(key): “\(member.key)” is not kept for \(platform.rawValue), whose clients lose"
                        + " all that stands beside an array or object"
                )
                continue
            }
            metadata[name] = value
        }
        return (metadata, losses)
    }
}

extension OfferVersion {
    /// Reads what every client reads alike: one to three numbers, and on Apple's platforms a build,
    /// of which 0 is none.
    fileprivate init?(imported text: String, on platform: Platform) {
        let sides = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard let version = AppleVersion(String(sides[0])),
            let plain = OfferVersion(.dotted(version))
        else { return nil }
        let hasBuild = sides.count == 2 && sides[1] != "0"
        self.init(written: hasBuild ? "\(plain)-\(sides[1])" : "\(plain)", on: platform)
    }
}

extension ObjectReader {
    /// What stands there for clients before 4.0, to be told word for word; `nil` where there is
    /// nothing, or nothing that all of them read.
    func keptLegacy(of platform: Platform) -> LegacyOffer? {
        guard var object = object[platform.rawValue]?.object, object.isLegacy else { return nil }
        if platform == .android { object = object.withoutVersionsPassedOver }
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
        let passedOver = (value(key)?.object ?? [:]).versionsPassedOver.map { member in
            "\(key).\(member): clients before 4.0 pass over it, since the API level that it needs is"
                + " below 1"
        }
        let names = (shared ?? [:]).keys.map {
            "meta: “\($0)” is not kept, since no offer of android has it"
        }
        let told =
            "\(key): clients from 4.0 on compare version codes, which stand under android2; they are"
            + " told what the app's own offers or thresholds say"
        return Told(
            document: Document(platform: .android),
            losses: names + passedOver + [told]
        )
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
    /// The versions that Android's clients before 4.0 pass over, and read the rest: those that need an
    /// API level below 1.
    fileprivate var versionsPassedOver: [String] {
        let levels = [
            ("minimum_version", self["minimum_version_min_sdk"]),
            ("latest_version", self["latest_version"]?["min_sdk"]),
        ]
        return levels.filter { ($1?.integer ?? 1) < 1 }.map(\.0)
    }

    fileprivate var withoutVersionsPassedOver: JSONObject {
        var object = self
        for member in versionsPassedOver {
            object[member] = nil
            if member == "minimum_version" { object["minimum_version_min_sdk"] = nil }
        }
        return object
    }

    /// Those of its members that are there.
    fileprivate func kept(_ keys: [String]) -> JSONObject {
        var kept = JSONObject()
        for key in keys where self[key] != .null { kept[key] = self[key] }
        return kept
    }
}
