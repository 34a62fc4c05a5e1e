/// One configuration of Prince of Versions: what a device is offered that meets its requirements.
///
/// The offers of a platform are looked at in order, and the first whose requirements are met
/// counts.
package struct Offer: Hashable, Sendable {
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
package enum OfferNotification: String, Hashable, CaseIterable, Sendable {
    case once = "ONCE"
    case always = "ALWAYS"
}

/// What a device has to meet to be offered something.
package struct OfferRequirements: Hashable, Sendable {
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
package struct RequirementName: Hashable, Comparable, Sendable {
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

    package static func < (left: RequirementName, right: RequirementName) -> Bool {
        left.text < right.text
    }
}

/// The name of something that is handed on to an app as it stands: `required.title.de-AT`.
package struct MetadataName: Hashable, Comparable, Sendable {
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

    package static func < (left: MetadataName, right: MetadataName) -> Bool {
        left.text < right.text
    }
}
