import PlimsollDomain
package import PlimsollJSON

extension PrinceDocument {
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
