package import PlimsollJSON

/// What one platform's clients of Prince of Versions before 4.0 are told: an object in the format
/// that they read, derived from offers or taken over from a document of the app's own.
package struct LegacyOffer: Codable, Hashable, Sendable {
    /// A version, and the version of the system without which it does not count.
    package struct Version: Codable, Hashable, Sendable {
        /// On Android the name that people know, since that is what those clients compare.
        package let text: String
        package let system: OfferVersion?

        package init(_ text: String, system: OfferVersion?) {
            (self.text, self.system) = (text, system)
        }
    }

    package let minimum: Version?
    /// On iOS and macOS it cannot be left out.
    package let latest: Version?
    package let notification: OfferNotification

    package init(minimum: Version?, latest: Version?, notification: OfferNotification) {
        (self.minimum, self.latest, self.notification) = (minimum, latest, notification)
    }
}

// MARK: - The format's own members

extension LegacyOffer {
    package static let grammar =
        "an object as clients before 4.0 read it: minimum_version and latest_version with version and"
        + " notification_type, versions as the platform's clients write them, such as 3.2.0"

    /// Reads an object that every client before 4.0 on the platform reads without an error; `nil`
    /// where one of them would not, or where there is more in it than they read.
    package init?(_ json: JSONValue, on platform: Platform) {
        guard platform.hasLegacyClients, let object = json.object,
            object.keys.allSatisfy({ Self.members.contains($0) }),
            let latest = LatestVersion(object["latest_version"], on: platform),
            let minimum = Version.read(
                object,
                "minimum_version",
                "minimum_version_min_sdk",
                platform
            ),
            latest.version != nil || minimum != nil && platform == .android
        else { return nil }
        self.init(minimum: minimum, latest: latest.version, notification: latest.notification)
    }

    private static let members: Set = [
        "minimum_version", "minimum_version_min_sdk", "latest_version",
    ]

    package var json: JSONObject {
        var json = JSONObject()
        json["minimum_version"] = minimum.map { .string($0.text) }
        json["minimum_version_min_sdk"] = minimum?.system?.json
        if let latest {
            var object: JSONObject = [
                "notification_type": .string(notification.rawValue),
                "version": .string(latest.text),
            ]
            object["min_sdk"] = latest.system?.json
            json["latest_version"] = .object(object)
        }
        return json
    }

    /// Whether all clients before 4.0 on the platform read the same version in it.
    package static func isVersion(_ text: String, on platform: Platform) -> Bool {
        let sides = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        let numbers = sides[0].split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= 64, numbers.allSatisfy({ $0.isNumber }) else { return false }
        guard platform == .android else {
            return (1...3).contains(numbers.count) && sides.dropFirst().allSatisfy(\.isNumber)
        }
        // Semantic versions, and nothing else, are read there.
        return numbers.count == 3 && numbers.allSatisfy { $0 == "0" || $0.first != "0" }
            && sides.count == 1
    }
}

/// The object `latest_version`, which may be missing.
private struct LatestVersion {
    var version: LegacyOffer.Version?
    var notification = OfferNotification.once

    init?(_ json: JSONValue?, on platform: Platform) {
        guard let json else { return }
        guard let object = json.object,
            object.keys.allSatisfy({ ["version", "notification_type", "min_sdk"].contains($0) }),
            let version = LegacyOffer.Version.read(object, "version", "min_sdk", platform)
        else { return nil }
        self.version = version
        guard let written = object["notification_type"] else { return }
        guard let notification = written.string.flatMap(OfferNotification.init(rawValue:)) else {
            return nil
        }
        self.notification = notification
    }
}

extension LegacyOffer.Version {
    /// `.some(nil)` where there is none; a system that no version needs is no part of the format.
    fileprivate static func read(
        _ object: JSONObject,
        _ key: String,
        _ systemKey: String,
        _ platform: Platform
    ) -> LegacyOffer.Version?? {
        guard let written = object[key] else {
            return object[systemKey] == nil ? .some(nil) : nil
        }
        guard let text = written.string, LegacyOffer.isVersion(text, on: platform) else {
            return nil
        }
        guard let needed = object[systemKey] else {
            return .some(LegacyOffer.Version(text, system: nil))
        }
        let system: OfferVersion? =
            switch (platform.systemKind, needed) {
            case (.dotted, .string(let text)):
                AppleVersion(text).flatMap { OfferVersion(.dotted($0)) }
            case (.integer, .integer(let level)):
                AndroidVersion(level).map(OfferVersion.init(level:))
            default: nil
            }
        return system.map { .some(LegacyOffer.Version(text, system: $0)) }
    }
}

extension Substring {
    fileprivate var isNumber: Bool {
        (1...9).contains(utf8.count) && utf8.allSatisfy(isDigit)
    }
}

extension Platform {
    /// The JVM's library is younger than the format of 4.0.
    package var hasLegacyClients: Bool { self != .jvm }
}

// MARK: - Words

extension LegacyOffer {
    /// `minimum 3.0.0 from 15.0.0 on, latest 4.0.0, told once`.
    package var sentence: String {
        let parts = [
            minimum.map { "minimum \($0.words)" }, latest.map { "latest \($0.words)" },
            "told \(notification == .always ? "always" : "once")",
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}

extension LegacyOffer.Version {
    fileprivate var words: String { system.map { "\(text) from \($0) on" } ?? text }
}

// MARK: - Blocks

extension LegacyOffer {
    /// The same, asking for at least the version, of everybody; `nil` where it does so already.
    ///
    /// Apple's clients pass over a minimum above the latest version, and tell of one a single time
    /// with `ONCE`, so a minimum that is high enough says nothing alone. On Android it does, and takes
    /// the name of the version.
    func asking(
        atLeast floor: OfferVersion,
        named name: VersionName?,
        on platform: Platform
    ) -> LegacyOffer? {
        let text = platform == .android ? name?.text : floor.withoutBuild.description
        guard let text, let needed = Self.numbers(text) else { return nil }
        let stands = minimum.flatMap { $0.system == nil ? Self.numbers($0.text) : nil }
        let asks = stands.map { $0 >= needed } ?? false
        guard platform != .android || !asks else { return nil }
        let asked = asks ? minimum : Version(text, system: nil)
        let isOffered =
            latest.flatMap { Self.numbers($0.text) }
            .map { $0 >= max(stands ?? needed, needed) } ?? false
        let raised = LegacyOffer(
            minimum: asked,
            latest: isOffered && latest?.system == nil ? latest : asked,
            notification: platform == .android ? notification : .always
        )
        return raised == self ? nil : raised
    }

    private static func numbers(_ text: String) -> OfferVersion? {
        AppleVersion(String(text.prefix { $0 != "-" })).flatMap { OfferVersion(.dotted($0)) }
    }
}
