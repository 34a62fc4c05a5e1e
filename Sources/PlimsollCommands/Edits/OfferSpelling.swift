import PlimsollDomain
import PlimsollJSON

extension JSONValue {
    /// A list of offers as people write it: with the names that members have in the document for
    /// Prince of Versions, versions in fewer than three numbers, and within what `get` prints.
    func offersAsTheAPIHasThem(on platform: Platform) -> JSONValue {
        let list = object?["field"] == nil ? self : object?["value"] ?? self
        guard let offers = list.array else { return list }
        return .array(
            offers.map { offer in
                offer.object.map { .object($0.offerAsTheAPIHasIt(on: platform)) } ?? offer
            }
        )
    }
}

extension JSONObject {
    private static let names = [
        "required_version": "requiredVersion", "last_version_available": "lastVersion",
        "notify_last_version_frequency": "notification", "meta": "metadata",
    ]

    /// A member that stands under both names stays where it is, and is refused as unknown.
    fileprivate func offerAsTheAPIHasIt(on platform: Platform) -> JSONObject {
        var offer = JSONObject()
        for member in members {
            let known = Self.names[member.key] ?? member.key
            let name = self[known] == nil ? known : member.key
            switch name {
            case "requiredVersion", "lastVersion": offer[name] = member.value.inThreeNumbers
            case "requirements": offer[name] = member.value.requirementsAsTheAPIHasThem
            default: offer[name] = member.value
            }
        }
        return offer
    }
}

extension JSONValue {
    private static let systems = ["required_os_version", "required_jvm_version"]

    fileprivate var requirementsAsTheAPIHasThem: JSONValue {
        guard var requirements = object else { return self }
        let isOfTheFormat = Self.systems.contains { requirements[$0] != nil }
        guard isOfTheFormat else {
            requirements["os"] = requirements["os"]?.inThreeNumbers
            return .object(requirements)
        }
        var (said, custom) = (JSONObject(), JSONObject())
        for member in requirements.members {
            if Self.systems.contains(member.key) {
                said["os"] = member.value.inThreeNumbers
            } else {
                custom[member.key] = member.value
            }
        }
        if !custom.isEmpty { said["custom"] = .object(custom) }
        return .object(said)
    }

    /// `3.2` is 3.2.0, and `17` is 17.0.0; whatever is no such version is left to the reader.
    fileprivate var inThreeNumbers: JSONValue {
        guard let written = string else { return self }
        let sides = written.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard let version = AppleVersion(String(sides[0])),
            let plain = OfferVersion(.dotted(version))
        else { return self }
        return .string(sides.count == 1 ? "\(plain)" : "\(plain)-\(sides[1])")
    }
}
