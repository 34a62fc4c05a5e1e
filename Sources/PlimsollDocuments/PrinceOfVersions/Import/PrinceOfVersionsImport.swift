package import PlimsollDomain
package import PlimsollJSON

/// What a document for Prince of Versions says, whoever wrote it.
///
/// A line that holds for every device becomes thresholds; what they cannot say becomes offers, word
/// for word. What clients do not read alike is refused, and what is lost of the rest is said.
package struct PrinceOfVersionsImport: Equatable, Sendable {
    /// What each platform is told: thresholds for the app with the texts that stand in the metadata,
    /// or offers and nothing else.
    package let documents: [Document]
    /// What could not be taken over, as sentences.
    package let losses: [String]

    private static let limits = JSONLimits(sizeMaximum: 4 << 20)

    /// Whether the members are those of such a document.
    package static func isLikely(_ root: JSONObject) -> Bool {
        Platform.allCases.contains { !$0.keys(in: root).isEmpty }
    }

    package init(parsing bytes: [UInt8]) throws(JSONIssues) {
        let read = try LenientDocument(bytes, limits: Self.limits)
        var reader = ObjectReader(read.members)
        var documents: [Document] = []
        var losses = read.losses
        let shared = reader.optionalObject("meta")
        for platform in Platform.allCases.sorted() {
            let keys = platform.keys(in: reader.object)
            guard let key = keys.first else { continue }
            if keys.count > 1 { losses += reader.passOver(platform.rawValue, besides: key) }
            guard var told = reader.told(under: key, of: platform, beside: shared) else { continue }
            told.document.legacy = reader.keptLegacy(of: platform)
            losses += told.losses.filter { !losses.contains($0) }
            documents.append(told.document)
        }
        if documents.isEmpty, reader.issues.isEmpty {
            reader.refuse(
                JSONIssue(pointer: .root, detail: "There are no offers for any platform in it.")
            )
        }
        (self.documents, self.losses) = try reader.finish(.ignored) { (documents, losses) }
    }
}

/// What one platform is told, and what could not be taken over, as sentences.
struct Told {
    var document: Document
    var losses: [String]
}

/// The one offer of a platform, as far as thresholds can say it.
private struct ImportedOffer {
    var minimum: VersionValue?
    var recommended: VersionValue?
    var meta: JSONObject?
    var losses: [String] = []
}

extension Platform {
    /// Where its offers stand, the ones for clients since 4.0 first.
    ///
    /// A name with a 2 is read where there are clients before 4.0, and by nobody else.
    fileprivate func keys(in root: JSONObject) -> [String] {
        ((hasLegacyClients ? ["\(rawValue)2"] : []) + [rawValue]).filter { key in
            switch root[key] {
            case .array, .object: true
            case nil, .null, .bool, .integer, .string: false
            }
        }
    }
}

extension ObjectReader {
    /// What is lost of the member without a 2, where the one with it is taken.
    ///
    /// Two arrays are refused on Apple's platforms, where the libraries differ in which they take.
    fileprivate mutating func passOver(_ key: String, besides taken: String) -> [String] {
        let (passed, kept) = (value(key), value(taken))
        guard passed != kept, passed?.array != kept.map({ [$0] }) else { return [] }
        if let platform = Platform(rawValue: key), keptLegacy(of: platform) != nil { return [] }
        guard passed?.array != nil, key != Platform.android.rawValue else {
            return ["\(key): it is not kept, since clients from 4.0 on take \(taken)"]
        }
        refuse(
            key,
            "Other offers stand under \(taken), and clients differ in which of the two they take;"
                + " leave one of them out."
        )
        return []
    }

    /// Thresholds, where these say all of it, else the offers of a list.
    fileprivate mutating func told(
        under key: String,
        of platform: Platform,
        beside shared: JSONObject?
    ) -> Told? {
        var attempt = self
        let lines = attempt.thresholds(under: key, of: platform, beside: shared)
        let isAlone = value(key)?.object?.isLegacy ?? false
        if let lines, lines.losses.isEmpty, lines.document.hasTextsOfItsLines {
            self = attempt
            return lines
        }
        if isAlone { return legacyTold(under: key, of: platform, beside: shared) }
        return importedOffers(under: key, of: platform, beside: shared).map { imported in
            var document = Document(platform: platform)
            document.offers = imported.offers
            let lost = (shared ?? [:]).importedMetadata(under: "meta", of: platform).losses
            return Told(document: document, losses: lost + imported.losses)
        }
    }

    private mutating func thresholds(
        under key: String,
        of platform: Platform,
        beside shared: JSONObject?
    ) -> Told? {
        guard let offer = offer(under: key, of: platform) else { return nil }
        var document = Document(platform: platform)
        document[.minimumApp].value = offer.minimum
        document[.recommendedApp].value = offer.recommended
        let lost = document.take(shared: shared) + document.take(own: offer.meta, under: key)
        return Told(document: document, losses: offer.losses.map { "\(key): \($0)" } + lost)
    }

    private mutating func offer(under key: String, of platform: Platform) -> ImportedOffer? {
        guard platform != .jvm else {
            refuse(key, "Thresholds are not kept for the JVM; a list of offers is needed.")
            return nil
        }
        let place = pointer.appending(key)
        guard let offers = value(key)?.array else {
            return optionalObject(key).flatMap { object in
                nested(object, at: place, .ignored) { reader in
                    object.isLegacy
                        ? reader.legacyOffer(of: platform) : reader.offer(of: platform)
                }
            }
        }
        guard offers.count == 1, let object = offers[0].object else {
            refuse(
                key,
                "Found \(offers.count) offers; thresholds hold for every device, so one without"
                    + " requirements is needed."
            )
            return nil
        }
        return nested(object, at: place.appending(0), .ignored) { $0.offer(of: platform) }
    }

    private mutating func offer(of platform: Platform) -> ImportedOffer? {
        refuseNamesOfAppleClients(on: platform)
        var offer = ImportedOffer()
        offer.minimum = version("required_version", of: platform)
        offer.recommended = version("last_version_available", of: platform)
        offer.meta = optionalObject("meta")
        if let requirements = optionalObject("requirements"), !requirements.isEmpty {
            refuseCondition("requirements")
        }
        offer.losses += frequencyLosses("notify_last_version_frequency")
        return offer
    }

    private mutating func refuseCondition(_ key: String) {
        guard let condition = value(key), condition != .null else { return }
        refuse(key, "Thresholds hold for every device; leave the \(key) out.")
    }

    private mutating func frequencyLosses(_ key: String) -> [String] {
        let frequency = optionalString(key, needing: "ALWAYS or ONCE") {
            OfferNotification(rawValue: $0.uppercased())
        }
        return frequency == .always ? ["the frequency ALWAYS is not kept; ONCE is published"] : []
    }

    private mutating func legacyOffer(of platform: Platform) -> ImportedOffer? {
        guard platform != .android else {
            refuse(
                "minimum_version",
                "The versions are names; Android needs version codes, under android2."
            )
            return nil
        }
        var offer = ImportedOffer()
        offer.minimum = version("minimum_version", of: platform)
        refuseCondition("minimum_version_min_sdk")
        let latest = optionalObject("latest_version").flatMap { object in
            nested(object, at: pointer.appending("latest_version"), .ignored) {
                $0.latestVersion(of: platform)
            }
        }
        offer.recommended = latest?.version
        offer.losses = latest?.losses ?? []
        return offer
    }

    private mutating func latestVersion(
        of platform: Platform
    ) -> (version: VersionValue?, losses: [String])? {
        refuseCondition("min_sdk")
        return (version("version", of: platform), frequencyLosses("notification_type"))
    }

    /// What offers nothing holds nobody back, and is no threshold.
    private mutating func version(_ key: String, of platform: Platform) -> VersionValue? {
        if object[key] == .integer(0), platform.versionKind == .integer {
            _ = value(key)
            return nil
        }
        let version = optionalMember(key, needing: platform.versionKind.grammar) {
            VersionValue($0, platform.versionKind)
        }
        return version.flatMap { $0.holdsSomebodyBack ? $0 : nil }
    }
}

extension JSONObject {
    /// Whether it has the form before 4.0.
    var isLegacy: Bool {
        self["minimum_version"] != nil || self["latest_version"] != nil
    }
}

extension Document {
    /// Whether it draws a line, and people are told something.
    ///
    /// A line without texts would show phones that read thresholds an empty page, so that stays with
    /// clients of Prince of Versions, as an offer.
    fileprivate var hasTextsOfItsLines: Bool {
        let lines = [ThresholdName.minimumApp, .recommendedApp].filter { self[$0].value != nil }
        return !lines.isEmpty
            && [ThresholdName.minimumApp, .recommendedApp].contains { name in
                TextPart.allCases.contains { !self[name].texts($0).isEmpty }
            }
    }
}
