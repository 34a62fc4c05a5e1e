package import PlimsollDomain
package import PlimsollJSON

/// A document for the clients of Prince of Versions, one for all platforms and generations.
///
/// The same document always has the same bytes, and every client reads them alike as far as
/// clients do that.
package struct PrinceOfVersionsDocument: Equatable, Sendable {
    /// At least one for each platform, the last of which asks nothing of a device.
    package let offers: [Platform: [Offer]]
    /// What clients before 4.0 read; `nil` in a document that is for those since.
    package let legacy: [Platform: LegacyOffer]?
    /// Handed on with every offer, and where none is met.
    package let metadata: [MetadataName: OfferValue]
    /// `nil` in documents that this service did not publish.
    package let stamp: AppStamp?

    package static let mediaType = "application/json"

    /// The last segment of its address.
    package static var fileName: FileName {
        guard let name = FileName("prince-of-versions.json") else {
            preconditionFailure("the name is within the grammar")
        }
        return name
    }

    package init(
        offers: [Platform: [Offer]],
        legacy: [Platform: LegacyOffer]? = nil,
        metadata: [MetadataName: OfferValue] = [:],
        stamp: AppStamp? = nil
    ) {
        for (platform, offers) in offers {
            precondition(
                offers.last?.requirements.isEmpty == true && offers.faults(on: platform).isEmpty,
                "only offers that every client can read are published"
            )
        }
        (self.offers, self.legacy) = (offers, legacy)
        (self.metadata, self.stamp) = (metadata, stamp)
    }
}

extension Platform {
    /// Where clients since 4.0 look for its offers.
    func offersKey(besideLegacy: Bool) -> String {
        besideLegacy && hasLegacyClients ? "\(rawValue)2" : rawValue
    }

    /// What the requirement on the system is called.
    var systemRequirement: String {
        self == .jvm ? "required_jvm_version" : "required_os_version"
    }
}

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

extension PrinceOfVersionsDocument {
    private static let limits = JSONLimits(sizeMaximum: Manifest.fileSizeMaximum)

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
        let stamp = reader.optionalObject("plimsoll", AppStamp.read)
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
            PrinceOfVersionsDocument(
                offers: offers,
                legacy: legacy,
                metadata: metadata,
                stamp: stamp
            )
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
        optionalMember(key, needing: OfferVersion.grammar(on: platform)) {
            OfferVersion($0, platform.versionKind, on: platform)
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

extension PrinceOfVersionsDocument {
    /// The bytes that are signed and served: canonical JSON.
    package var bytes: [UInt8] { json.canonicalBytes() }

    package var json: JSONObject {
        var json = JSONObject()
        for (platform, offers) in offers {
            json[platform.offersKey(besideLegacy: legacy != nil)] = .array(
                offers.map { .object($0.json(on: platform)) }
            )
        }
        for (platform, offer) in legacy ?? [:] where platform.hasLegacyClients {
            json[platform.rawValue] = .object(offer.json)
        }
        if !metadata.isEmpty { json["meta"] = .object(metadata.json) }
        json["plimsoll"] = stamp.map { .object($0.json) }
        return json
    }
}

extension Offer {
    func json(on platform: Platform) -> JSONObject {
        var json: JSONObject = ["notify_last_version_frequency": .string(notification.rawValue)]
        json["required_version"] = required?.json
        json["last_version_available"] = last?.json
        if !requirements.isEmpty { json["requirements"] = .object(requirements.json(on: platform)) }
        if !metadata.isEmpty { json["meta"] = .object(metadata.json) }
        return json
    }
}

extension OfferRequirements {
    /// On Apple's platforms the system is always named, because 4.0.0 demands it.
    fileprivate func json(on platform: Platform) -> JSONObject {
        var json = JSONObject(
            custom.map { JSONObject.Member(key: $0.text, value: $1.json) }
        )
        let system = system ?? (platform.systemKind == .dotted ? .nothing(on: platform) : nil)
        json[platform.systemRequirement] = system?.json
        return json
    }
}

extension [MetadataName: OfferValue] {
    /// In the order that it is written in: sorted once here, and nowhere again.
    fileprivate var json: JSONObject {
        JSONObject(
            map { JSONObject.Member(key: $0.text, value: $1.json) }
                .sorted { $0.key < $1.key }
        )
    }
}
