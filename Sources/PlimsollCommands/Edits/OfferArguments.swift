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
