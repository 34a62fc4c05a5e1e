/// One configuration of Prince of Versions: what a device is offered that meets its requirements.
///
/// The offers of a platform are looked at in order, and the first whose requirements are met
/// counts.
package struct Offer: Codable, Hashable, Sendable {
    /// What is older has to be updated.
    package var required: OfferVersion?
    /// What is older may be updated.
    package var last: OfferVersion?
    package var notification: OfferNotification
    package var requirements: OfferRequirements
    package var metadata: [MetadataName: OfferValue]

    package init(
        required: OfferVersion? = nil,
        last: OfferVersion? = nil,
        notification: OfferNotification = .once,
        requirements: OfferRequirements = OfferRequirements(),
        metadata: [MetadataName: OfferValue] = [:]
    ) {
        self.required = required
        self.last = last
        self.notification = notification
        self.requirements = requirements
        self.metadata = metadata
    }

    /// An offer that is met by every device and asks nothing of it.
    package static func nothing(on platform: Platform) -> Offer {
        Offer(last: .nothing(on: platform))
    }
}

/// How often a person is told of an update that is not required.
package enum OfferNotification: String, Codable, Hashable, CaseIterable, Sendable {
    case once = "ONCE"
    case always = "ALWAYS"
}

/// What a device has to meet to be offered something.
package struct OfferRequirements: Codable, Hashable, Sendable {
    /// The system that the offered version needs: a version of iOS or macOS, an API level, or a
    /// feature release of Java.
    package var system: OfferVersion?
    /// What the app's own checkers are asked.
    package var custom: [RequirementName: OfferValue]

    package init(system: OfferVersion? = nil, custom: [RequirementName: OfferValue] = [:]) {
        (self.system, self.custom) = (system, custom)
    }

    package var isEmpty: Bool { system == nil && custom.isEmpty }
}

/// The name of a requirement that an app checks itself.
///
/// A name of several words reaches the checkers of different clients differently: `min_ram` is
/// `minRam` on Apple's platforms.
package struct RequirementName: Codable, Comparable, TextName {
    package let text: String

    package static let grammar =
        "1 to 64 letters, digits and underscores, beginning with a letter"

    package init?(_ text: String) {
        guard
            (1...64).contains(text.utf8.count), let first = text.utf8.first, isLetter(first),
            text.utf8.allSatisfy({ isLetter($0) || isDigit($0) || $0 == 0x5F }),
            !Self.ofSystems.contains(text)
        else { return nil }
        self.text = text
    }

    /// What the format calls the requirement on the system.
    private static let ofSystems: Set = [
        "required_os_version", "requiredOsVersion", "required_jvm_version",
    ]
}

/// The name of something that is handed on to an app as it stands: `required.title.de-AT`.
package struct MetadataName: Codable, Comparable, TextName {
    package let text: String

    package static let grammar = "1 to 100 letters, digits, dots, hyphens or underscores"

    package init?(_ text: String) {
        guard (1...100).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed) else {
            return nil
        }
        self.text = text
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || [0x2D, 0x2E, 0x5F].contains(byte)
    }
}

extension Offer {
    /// What it says, in a line: `from 15.0.0 on: required 3.2.0, last 3.4.0, told once`.
    package var sentence: String {
        let versions = [required.map { "required \($0)" }, last.map { "last \($0)" }]
        let told = notification == .always ? "told always" : "told once"
        let handedOn = metadata.isEmpty ? nil : "with \(metadata.count) of metadata"
        let clauses = versions.compactMap(\.self) + [told] + [handedOn].compactMap(\.self)
        return "\(requirements.sentence): \(clauses.joined(separator: ", "))"
    }

    /// What it says, and below it all that is handed on to the app.
    package var lines: [String] {
        [sentence]
            + metadata.sorted { $0.key < $1.key }.map { "  \($0.key.text) = \($0.value.words)" }
    }
}

extension OfferRequirements {
    /// Whom it is for: `from 15.0.0 on, region is eu`.
    var sentence: String {
        let custom = custom.sorted { $0.key < $1.key }.map { "\($0.key.text) is \($0.value.words)" }
        let clauses = [system.map { "from \($0) on" }].compactMap(\.self) + custom
        return clauses.isEmpty ? "for everybody" : clauses.joined(separator: ", ")
    }
}

extension OfferPlaceMissing {
    /// What there is instead.
    func sentence(on platform: Platform) -> String {
        let offers =
            switch count {
            case 0: "has no offers"
            case 1: "has one offer, at place 0"
            default: "has \(count) offers, at the places 0 to \(count - 1)"
            }
        return "There is no place \(place): \(platform.rawValue) \(offers)."
    }
}

extension Document {
    /// The platform's own offers, none of which asks for less than a version; `nil` where there are
    /// none, or they do so already.
    package func offers(blocking version: VersionValue) -> [Offer]? {
        guard !offers.isEmpty, let floor = OfferVersion(version) else { return nil }
        var raised = offers.map { $0.asking(atLeast: floor) }
        if !offers.isOpenToAll {
            raised.append(Offer(required: floor, metadata: offers.metadataInCommon))
        }
        return raised == offers ? nil : raised
    }
}

extension Offer {
    fileprivate func asking(atLeast floor: OfferVersion) -> Offer {
        var offer = self
        offer.required = max(required ?? floor, floor)
        offer.last = last.map { max($0, floor) }
        return offer
    }
}

extension [Offer] {
    /// Whether every device meets the requirements of one of them.
    var isOpenToAll: Bool { last?.requirements.isEmpty == true }
}

extension Document {
    /// What clients hand on to their app of all that the format has no words for: the texts of the
    /// thresholds, and the versions of the system, which offers cannot demand.
    ///
    /// `required.title.de-AT`, `recommended.description.en`, `required.os`, `required.os.title.de`.
    package var offerMetadata: [MetadataName: OfferValue] {
        var metadata: [MetadataName: OfferValue] = [:]
        for name in ThresholdName.allCases {
            let threshold = self[name]
            for part in TextPart.allCases {
                for (language, text) in threshold.texts(part) {
                    let key = "\(name.metadataName).\(part.rawValue).\(language)"
                    if let key = MetadataName(key) { metadata[key] = OfferValue(text) }
                }
            }
            guard
                name.isOfSystem, let value = threshold.value,
                let key = MetadataName(name.metadataName),
                let text = try? Text(validating: value.description)
            else { continue }
            metadata[key] = OfferValue(text)
        }
        return metadata
    }
}

extension ThresholdName {
    /// Whether it is the system's version that it draws a line for.
    package var isOfSystem: Bool {
        switch self {
        case .minimumOS, .recommendedOS: true
        case .minimumApp, .recommendedApp: false
        }
    }

    fileprivate var metadataName: String {
        switch self {
        case .minimumOS: "required.os"
        case .recommendedOS: "recommended.os"
        case .minimumApp: "required"
        case .recommendedApp: "recommended"
        }
    }
}
