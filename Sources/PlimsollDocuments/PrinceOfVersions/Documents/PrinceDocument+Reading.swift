import PlimsollDomain
package import PlimsollJSON

extension PrinceDocument {
    private static let limits = JSONLimits(sizeMaximum: 4 << 20)

    /// Reads a document and refuses it for anything that any generation of clients would refuse,
    /// understand differently from the others, or report as an error.
    package init(parsing bytes: [UInt8]) throws(JSONIssues) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: bytes, limits: Self.limits)
        } catch {
            throw JSONIssues(error)
        }
        let nulls = value.nulls(at: .root)
        guard nulls.isEmpty else { throw JSONIssues(nulls) }
        var reader = try ObjectReader(reading: value)
        let isLegacy = Platform.allCases.contains {
            $0.hasLegacyClients && reader.object[$0.offersKey(besideLegacy: true)] != nil
        }
        let offers = reader.offers(besideLegacy: isLegacy)
        let legacy = isLegacy ? reader.legacyOffers() : nil
        let metadata = reader.optionalObject("meta", { $0.metadata() }) ?? [:]
        if let name = metadata.filter(\.value.isNested).keys.min(),
            offers.keys.contains(where: \.losesNestedValues)
        {
            let place = JSONPointer.root.appending("meta").appending(name.text)
            let detail =
                "Found an array or object, over which clients on Apple's platforms lose all"
            reader.refuse(JSONIssue(pointer: place, detail: "\(detail) that stands beside it."))
        }
        let stamp = reader.optionalObject("plimsoll", PrinceStamp.read)
        if offers.isEmpty {
            reader.refuse(
                JSONIssue(
                    pointer: .root,
                    detail: "There is no platform; offers for one of "
                        + Platform.allCases.map(\.rawValue).joined(separator: ", ") + " are needed."
                )
            )
        }
        self = try reader.finish {
            PrinceDocument(offers: offers, legacy: legacy, metadata: metadata, stamp: stamp)
        }
    }
}

extension ObjectReader {
    fileprivate mutating func offers(besideLegacy isLegacy: Bool) -> [Platform: [Offer]] {
        var offers: [Platform: [Offer]] = [:]
        for platform in Platform.allCases {
            let key = platform.offersKey(besideLegacy: isLegacy)
            guard object[key] != nil, let list = self.offers(key, of: platform) else { continue }
            offers[platform] = list
        }
        return offers
    }

    private mutating func offers(_ key: String, of platform: Platform) -> [Offer]? {
        guard let offers = objects(key, .refused, { $0.offer(on: platform) }) else { return nil }
        let faults = offers.faults(on: platform)
        for fault in faults {
            let place = pointer.appending(key).appending(fault.place)
            refuse(JSONIssue(pointer: place, detail: fault.sentence))
        }
        guard offers.last?.requirements.isEmpty == true else {
            refuse(
                key,
                "Clients report an error where nothing is met; the last offer needs to be one"
                    + " without requirements."
            )
            return nil
        }
        return faults.isEmpty ? offers : nil
    }

    private mutating func offer(on platform: Platform) -> Offer? {
        let required = version("required_version", of: platform)
        let last = version("last_version_available", of: platform)
        let notification = string(
            "notify_last_version_frequency",
            needing: "ALWAYS or ONCE",
            OfferNotification.init
        )
        let requirements = optionalObject("requirements") { $0.requirements(of: platform) }
        let metadata = optionalObject("meta") { $0.metadata() }
        guard let notification else { return nil }
        return Offer(
            required: required,
            last: last,
            notification: notification,
            requirements: requirements ?? OfferRequirements(),
            metadata: metadata ?? [:]
        )
    }

    private mutating func version(_ key: String, of platform: Platform) -> OfferVersion? {
        optionalMember(key, needing: OfferVersion.grammar(on: platform)) { value in
            switch (platform.versionKind, value) {
            case (.dotted, .string(let text)): OfferVersion(written: text, on: platform)
            case (.integer, .integer(let number)):
                OfferVersion(written: String(number), on: platform)
            default: nil
            }
        }
    }

    private mutating func requirements(of platform: Platform) -> OfferRequirements? {
        let key = platform.systemRequirement
        let system =
            platform.systemKind == .dotted
            ? member(key, needing: "three whole numbers between dots, such as 15.0.0") {
                $0.string.flatMap { OfferVersion(written: $0, on: platform) }
                    .flatMap { $0.build == nil ? $0 : nil }
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
            custom[requirement] = offerValue(name)
        }
        if object.isEmpty { refuse(key, "Nothing is required; leave the requirements out.") }
        // No device is older than nothing; it stands there for 4.0.0 alone.
        let demanded = system?.isNothing == true && !custom.isEmpty ? nil : system
        return OfferRequirements(system: demanded, custom: custom)
    }

    private mutating func offerValue(_ key: String) -> OfferValue? {
        guard let json = value(key) else { return nil }
        do throws(OfferValueFault) {
            return try OfferValue(validating: json)
        } catch {
            refuse(key, error.sentence)
            return nil
        }
    }

    /// Of every type; where what is nested loses all offers, the list is refused for it.
    fileprivate mutating func metadata() -> [MetadataName: OfferValue]? {
        var metadata: [MetadataName: OfferValue] = [:]
        for key in object.keys {
            guard let name = MetadataName(key) else {
                _ = value(key)
                refuse(key, "Found another name; \(MetadataName.grammar) are needed.")
                continue
            }
            metadata[name] = offerValue(key)
        }
        return metadata
    }
}

extension JSONValue {
    /// Every null in it: clients differ in whether it is nothing, an error or a value.
    fileprivate func nulls(at place: JSONPointer) -> [JSONIssue] {
        switch self {
        case .null:
            [JSONIssue(pointer: place, detail: "Found null; leave the member out.")]
        case .array(let values):
            values.enumerated().flatMap { $1.nulls(at: place.appending($0)) }
        case .object(let object):
            object.members.flatMap { $0.value.nulls(at: place.appending($0.key)) }
        case .bool, .integer, .string: []
        }
    }
}
