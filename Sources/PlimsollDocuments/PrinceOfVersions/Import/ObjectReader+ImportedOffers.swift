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
        let required = importedVersion("required_version", of: platform)
        let last = importedVersion("last_version_available", of: platform)
        let notification =
            optionalString("notify_last_version_frequency", needing: "ALWAYS or ONCE") {
                OfferNotification(rawValue: $0.uppercased())
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
            ? optionalMember(key, needing: AppleVersion.grammar) {
                $0.string.flatMap(AppleVersion.init).flatMap { OfferVersion(.dotted($0)) }
            }
            : optionalMember(key, needing: AndroidVersion.grammar) {
                $0.integer.flatMap(AndroidVersion.init).map(OfferVersion.init(level:))
            }
        var custom: [RequirementName: OfferValue] = [:]
        for name in object.keys where name != key {
            guard let requirement = RequirementName(name) else {
                _ = value(name)
                refuse(name, "Found another name; \(RequirementName.grammar) are needed.")
                continue
            }
            custom[requirement] = optionalMember(name, needing: OfferValue.grammar) {
                try? OfferValue(validating: $0)
            }
        }
        // No device is older than nothing.
        return OfferRequirements(system: system?.isNothing == true ? nil : system, custom: custom)
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
