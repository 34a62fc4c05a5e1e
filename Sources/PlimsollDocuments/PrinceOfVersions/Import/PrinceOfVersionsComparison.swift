import PlimsollDomain
import PlimsollJSON

/// What clients make of two documents, device by device: every generation of every platform in them,
/// with versions and systems at, below and above each that occurs.
package struct PrinceOfVersionsComparison: Equatable, Sendable {
    /// Devices of one generation to which the same becomes of something else.
    package struct Difference: Equatable, Sendable {
        package let client: PrinceOfVersionsClient
        /// What they are told, or the name of the error.
        package let before: String
        package let after: String
        /// One of them: its app, and its system.
        package let example: (app: String, system: String)
        package fileprivate(set) var deviceCount: Int

        package static func == (left: Difference, right: Difference) -> Bool {
            left.client == right.client && left.before == right.before
                && left.after == right.after && left.example == right.example
                && left.deviceCount == right.deviceCount
        }
    }

    package private(set) var differences: [Difference] = []
    /// How many devices were looked at.
    package private(set) var deviceCount = 0

    package init(_ before: [UInt8], _ after: PrinceOfVersionsDocument) {
        let bytes = after.bytes
        for client in PrinceOfVersionsClient.allCases {
            guard let offers = after.offers[client.platform] else { continue }
            for device in devices(of: client, among: offers, after.legacy?[client.platform]) {
                deviceCount += 1
                compare(client, device, before, bytes)
            }
        }
    }

    private mutating func compare(
        _ client: PrinceOfVersionsClient,
        _ device: PrinceOfVersionsDevice,
        _ before: [UInt8],
        _ after: [UInt8]
    ) {
        let (first, second) = (client.told(before, device), client.told(after, device))
        guard first != second else { return }
        let place = differences.firstIndex { difference in
            difference.client == client && difference.before == first.words(beside: second)
                && difference.after == second.words(beside: first)
        }
        if let place {
            differences[place].deviceCount += 1
        } else {
            differences.append(
                Difference(
                    client: client,
                    before: first.words(beside: second),
                    after: second.words(beside: first),
                    example: (device.appVersion, device.os),
                    deviceCount: 1
                )
            )
        }
    }
}

/// What an app gets to know at two looks: which update, which error, which metadata.
private struct Experience: Equatable {
    let looks: [String]
    let meta: JSONObject?

    /// The metadata are named only where the looks are the same.
    func words(beside other: Experience) -> String {
        let words = looks.joined(separator: ", then ")
        guard looks == other.looks else { return words }
        let handedOn = meta.map { String(decoding: $0.canonicalBytes(), as: UTF8.self) }
        return "\(words) with \(handedOn ?? "no metadata")"
    }
}

extension PrinceOfVersionsClient {
    fileprivate func told(_ document: [UInt8], _ device: PrinceOfVersionsDevice) -> Experience {
        var memory = PrinceOfVersionsMemory()
        let looks = (0..<2).map { _ in check(document, on: device, remembering: &memory) }
        let words = looks.map { look in
            if case .failed(let failure) = look { failure.name } else { look.status.rawValue }
        }
        return Experience(
            looks: words[0] == words[1] ? [words[0]] : words,
            meta: looks[0].json["meta"]?.object
        )
    }
}

/// Devices at, below and above everything that offers speak of.
private func devices(
    of client: PrinceOfVersionsClient,
    among offers: [Offer],
    _ legacy: LegacyOffer?
) -> [PrinceOfVersionsDevice] {
    let versions = offers.flatMap { [$0.required, $0.last] }.compactMap(\.self)
    let kept = [legacy?.minimum, legacy?.latest].compactMap(\.self)
    let named = kept.compactMap { version in
        AppleVersion(String(version.text.prefix { $0 != "-" })).flatMap {
            OfferVersion(.dotted($0))
        }
    }
    let apps =
        client.installation == .semantic
        ? Set(named) : Set(versions + (client.platform.versionKind == .dotted ? named : []))
    let systems = Set(offers.compactMap(\.requirements.system) + kept.compactMap(\.system))
    let checkers = offers.reduce(into: [String: String]()) { checkers, offer in
        for (name, value) in offer.requirements.custom where checkers[name.text] == nil {
            checkers[name.text] = value.text
            checkers[name.text.camelCased] = value.text
        }
    }
    let apps20 = apps.sorted().suffix(versionsMaximum).flatMap(\.around)
    let systems20 = systems.sorted().suffix(versionsMaximum).flatMap(\.around)
    let newest = systems.first?.kind == .integer || client.platform == .android ? "99" : "99.0.0"
    let oldest = client.platform == .jvm || client.platform == .android ? "1" : "1.0.0"
    return (apps20.isEmpty ? [oldest] : apps20).flatMap { app in
        (systems20 + [client.platform == .jvm ? "99" : newest]).flatMap { system in
            (checkers.isEmpty ? [[:]] : [[:], checkers]).map { checkers in
                PrinceOfVersionsDevice(appVersion: app, os: system, requirements: checkers)
            }
        }
    }
}

/// The newest so many versions and systems are looked at, so that no document takes for ever.
private let versionsMaximum = 20

extension OfferVersion {
    /// The version just below, the version itself and one above it, without builds.
    fileprivate var around: [String] {
        if let number = number.map({ Int64($0) }) {
            // The highest there is has none above it.
            return (number - 1...number + 1).filter { $0 > 0 && $0 <= Int32.max }.map(String.init)
        }
        guard let version = AppleVersion(withoutBuild.description) else { return [description] }
        let below = version.preceding.map { [$0.description] } ?? []
        return below
            + [version.description, version.description + ".1"].filter {
                AppleVersion($0) != nil
            }
    }
}

extension Document {
    /// Takes over what has the names under which it is published; gives what is lost.
    mutating func take(own meta: JSONObject?, under key: String) -> [String] {
        take(meta, under: key, of: platform.thresholds)
    }

    /// The same of what stands beside all platforms, where nothing says whose system is meant.
    mutating func take(shared meta: JSONObject?) -> [String] {
        take(meta, under: "meta", of: platform.thresholds.filter { !$0.isOfSystem })
    }

    private mutating func take(
        _ meta: JSONObject?,
        under key: String,
        of thresholds: [ThresholdName]
    ) -> [String] {
        var losses: [String] = []
        for member in meta?.members ?? [] {
            let place = MetadataPlace(member.key)
            if let place, thresholds.contains(place.threshold),
                case let field = Field(platform, place.threshold, place.part),
                let value = field.value(written: member.value.string)
            {
                self[field] = value
            } else {
                losses.append("\(key): “\(member.key)” is not kept")
            }
        }
        return losses
    }
}

extension Field {
    fileprivate func value(written text: String?) -> FieldValue? {
        guard let text else { return nil }
        guard part == .value else { return (try? Text(validating: text)).map(FieldValue.text) }
        return VersionValue(text: text, platform.versionKind).map(FieldValue.version)
    }
}

/// What a name in the metadata is of: `required.title.de-AT`, `required.os`, `required.os.title.de`.
private struct MetadataPlace {
    let threshold: ThresholdName
    let part: FieldPart

    init?(_ name: String) {
        var words = name.split(separator: ".", omittingEmptySubsequences: false)[...]
        let isOfSystem = words.count > 1 && words[1] == "os"
        let thresholds: [Substring: ThresholdName] =
            isOfSystem
            ? ["required": .minimumOS, "recommended": .recommendedOS]
            : ["required": .minimumApp, "recommended": .recommendedApp]
        guard let first = words.popFirst(), let threshold = thresholds[first] else { return nil }
        if isOfSystem { words.removeFirst() }
        let rest = words.map(String.init)
        if rest.isEmpty, isOfSystem {
            part = .value
        } else if rest.count == 2, let kind = TextPart(rawValue: rest[0]),
            let language = LanguageTag(rest[1])
        {
            part = .text(kind, language)
        } else {
            return nil
        }
        self.threshold = threshold
    }
}
