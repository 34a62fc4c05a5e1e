package import PlimsollDomain
package import PlimsollJSON

extension Offer {
    /// What ``init(json:)`` reads.
    package var data: JSONObject {
        var data: JSONObject = ["notification": .string(notification.rawValue)]
        data["requiredVersion"] = required?.data
        data["lastVersion"] = last?.data
        if !requirements.isEmpty { data["requirements"] = .object(requirements.data) }
        if !metadata.isEmpty {
            data["metadata"] = .object(
                JSONObject(metadata.map { .init(key: $0.text, value: $1.json) })
            )
        }
        return data
    }

    package init?(json: JSONValue) {
        guard let object = json.object,
            object.keys.allSatisfy({ Self.members.contains($0) }),
            let notification = object["notification"]?.string.flatMap(OfferNotification.init),
            let required = OfferVersion.optional(object["requiredVersion"]),
            let last = OfferVersion.optional(object["lastVersion"]),
            let requirements = OfferRequirements(json: object["requirements"]),
            let metadata = values(object["metadata"], MetadataName.init)
        else { return nil }
        self.init(
            required: required,
            last: last,
            notification: notification,
            requirements: requirements,
            metadata: metadata
        )
    }

    private static let members: Set = [
        "notification", "requiredVersion", "lastVersion", "requirements", "metadata",
    ]
}

extension OfferRequirements {
    fileprivate var data: JSONObject {
        var data = JSONObject()
        data["os"] = system?.data
        if !custom.isEmpty {
            data["custom"] = .object(
                JSONObject(custom.map { .init(key: $0.text, value: $1.json) })
            )
        }
        return data
    }

    fileprivate init?(json: JSONValue?) {
        guard let json else {
            self.init()
            return
        }
        guard let object = json.object,
            object.keys.allSatisfy({ ["os", "custom"].contains($0) }),
            let system = OfferVersion.optional(object["os"]),
            let custom = values(object["custom"], RequirementName.init)
        else { return nil }
        self.init(system: system, custom: custom)
    }
}

extension OfferVersion {
    /// A dotted version is a string and a version code a number.
    fileprivate var data: JSONValue { number.map { .integer(Int64($0)) } ?? .string(description) }

    fileprivate init?(json: JSONValue) {
        switch json {
        case .string(let written): self.init(written: written, on: .ios)
        case .integer(let number): self.init(written: String(number), on: .android)
        case .null, .bool, .array, .object: return nil
        }
    }

    /// Nothing where there is no member.
    fileprivate static func optional(_ json: JSONValue?) -> OfferVersion?? {
        guard let json else { return .some(nil) }
        return OfferVersion(json: json).map { .some($0) }
    }
}

/// The values of an object, none where there is no object.
private func values<Name: Hashable>(
    _ json: JSONValue?,
    _ name: (String) -> Name?
) -> [Name: OfferValue]? {
    guard let json else { return [:] }
    guard let object = json.object else { return nil }
    var values: [Name: OfferValue] = [:]
    for member in object.members {
        guard let name = name(member.key),
            let value = try? OfferValue(validating: member.value)
        else { return nil }
        values[name] = value
    }
    return values
}

extension OfferEdit {
    /// The members of an operation that makes the edit, but for its name and its platform.
    var data: JSONObject {
        switch self {
        case .set(let offers): ["offers": .array(offers.map { .object($0.data) })]
        case .insert(let offer, let place), .replace(let place, let offer):
            ["at": .integer(Int64(place)), "offer": .object(offer.data)]
        case .move(let from, let to):
            ["from": .integer(Int64(from)), "to": .integer(Int64(to))]
        case .remove(let place): ["at": .integer(Int64(place))]
        }
    }
}

extension DataReader {
    mutating func offers() throws(EntryError) -> [Offer] {
        try list("offers", Offer.init(json:))
    }

    mutating func offerEdit(_ name: OfferEditName) throws(EntryError) -> OfferEdit {
        switch name {
        case .setOffers: return .set(try offers())
        case .insertOffer:
            let place = try place("at")
            return .insert(try member("offer", Offer.init(json:)), at: place)
        case .moveOffer: return .move(from: try place("from"), to: try place("to"))
        case .replaceOffer:
            let place = try place("at")
            return .replace(place, with: try member("offer", Offer.init(json:)))
        case .removeOffer: return .remove(try place("at"))
        }
    }

    /// What an event says, whose member is there or not, or an operation of a list, whose name says it.
    mutating func legacyOperation(isSetting: Bool?) throws(EntryError) -> Operation {
        let platform = try text("platform", Platform.init(rawValue:))
        let legacy =
            isSetting == false
            ? nil : try optional("legacy") { LegacyOffer($0, on: platform) }
        guard legacy != nil || isSetting != true else { throw .badMember(type, "legacy") }
        return Operation(platform, legacy: legacy)
    }

    private mutating func place(_ key: String) throws(EntryError) -> Int {
        try number(key) { $0 < 0 ? nil : Int(exactly: $0) }
    }
}

/// What an edit of offers is called where several operations stand in a list.
enum OfferEditName: String {
    case setOffers
    case insertOffer
    case moveOffer
    case replaceOffer
    case removeOffer

    init(_ edit: OfferEdit) {
        self =
            switch edit {
            case .set: .setOffers
            case .insert: .insertOffer
            case .move: .moveOffer
            case .replace: .replaceOffer
            case .remove: .removeOffer
            }
    }
}

/// What an edit of the object for clients before 4.0 is called in such a list.
enum LegacyEditName: String {
    case setLegacyOffer
    case removeLegacyOffer
}
