import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// Reads `ios=@offers.json`: the list of offers that takes the place of the platform's.
func settingOffers(_ text: String, _ file: (String) throws -> [UInt8]) throws -> Operation {
    let example = "--offers ios=@offers.json"
    let (name, value) = try assignment(text, example)
    guard let platform = Platform(rawValue: name) else {
        let names = Platform.allCases.map(\.rawValue).joined(separator: ", ")
        throw PathFault("\(legible(name)) is no platform; those are \(names).")
    }
    guard value.hasPrefix("@") else {
        throw PathFault("\(legible(name)): offers stand in a file; write it as \(example).")
    }
    let path = String(value.dropFirst())
    let bytes = try file(path)
    do throws(JSONIssues) {
        return Operation(platform, offers: .set(try offers(in: bytes, on: platform)))
    } catch {
        let detail = error.checks.map(\.detail).joined(separator: " ")
        throw PathFault("\(legible(path)) has no list of offers. \(detail)")
    }
}

/// The list that the API takes as `offers`, or the one that `plimsoll get --field ios.offers --json`
/// prints; members may have the names of the format.
private func offers(in bytes: [UInt8], on platform: Platform) throws(JSONIssues) -> [Offer] {
    let list: JSONValue
    do throws(JSONError) {
        list = try JSONValue(parsing: bytes)
    } catch {
        throw JSONIssues(error)
    }
    return try offers(list, on: platform)
}

/// The same of what was read already.
func offers(_ list: JSONValue, on platform: Platform) throws(JSONIssues) -> [Offer] {
    var reader = ObjectReader(["offers": list.offersAsTheAPIHasThem(on: platform)])
    let offers = reader.offers("offers", on: platform)
    return try reader.finish { offers }
}

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
