public import Foundation

/// Which line of a document.
public enum ThresholdName: String, Hashable, Sendable, CaseIterable {
    /// Below it the app does not run on the system.
    case minimumOS
    /// Below it an update of the system is recommended.
    case recommendedOS
    /// Below it the app does not run.
    case minimumApp
    /// Below it an update of the app is recommended.
    case recommendedApp

    func member(on platform: Platform) -> String {
        switch (self, platform) {
        case (.minimumOS, .android): "minimumSDKVersion"
        case (.minimumOS, _): "minimumOSVersion"
        case (.recommendedOS, _): "recommendedOSVersion"
        case (.minimumApp, _): "minimumAppVersion"
        case (.recommendedApp, _): "recommendedAppVersion"
        }
    }
}

/// A line of a document, with the texts for those below it.
public struct Threshold: Hashable, Sendable {
    /// Whoever has an older version lies below; `nil` where nobody does.
    public let value: Version?
    let title: Texts
    let description: Texts

    /// By language tag, as the document writes it.
    public var titles: [String: String] { title.all }
    /// By language tag, as the document writes it.
    public var descriptions: [String: String] { description.all }
}

/// A text in its languages, each read when it is asked for.
struct Texts: Sendable {
    private let texts: JSONObject

    var tags: [String] { texts.members.map(\.key) }
    var all: [String: String] {
        Dictionary(uniqueKeysWithValues: tags.map { ($0, self[$0] ?? "") })
    }

    subscript(tag: String) -> String? { texts[tag]?.string }

    fileprivate init(
        reading object: JSONObject,
        _ part: String,
        at key: String
    ) throws(AvailabilityError) {
        switch object[part] {
        case nil: texts = JSONObject(members: [])
        case .object(let texts):
            for member in texts.members {
                guard case .text = member.value else {
                    throw .malformed("“\(key).\(part).\(member.key)” is not a string.")
                }
            }
            self.texts = texts
        default: throw .malformed("“\(key).\(part)” is not an object.")
        }
    }
}

extension Texts: Hashable {
    static func == (one: Texts, other: Texts) -> Bool { one.all == other.all }

    func hash(into hasher: inout Hasher) { hasher.combine(all) }
}

extension AvailabilityDocument {
    /// Reads a document whose signature was checked; members that nobody knows are kept, and
    /// count for nothing.
    init(parsing body: Data) throws(AvailabilityError) {
        let members: JSONObject
        do throws(JSONFault) {
            members = try JSONReader.object(in: body)
        } catch {
            throw .malformed(error.description)
        }
        let stamp = try DocumentStamp(reading: members)
        var thresholds: [ThresholdName: Threshold] = [:]
        for name in stamp.platform.thresholds {
            let key = name.member(on: stamp.platform)
            switch members[key] {
            case nil: break
            case .object(let object):
                thresholds[name] = try Threshold(reading: object, at: key, on: stamp.platform)
            default: throw .malformed("“\(key)” is not an object.")
            }
        }
        self.init(stamp: stamp, thresholds: thresholds, members: members)
    }
}

extension Threshold {
    /// The value 0 is how a document writes that nothing is set.
    fileprivate init(
        reading object: JSONObject,
        at key: String,
        on platform: Platform
    ) throws(AvailabilityError) {
        switch (object["value"], platform) {
        case (nil, _), (.integer(0), .android): value = nil
        case (.integer(let number), .android):
            guard let version = Version(code: Int(clamping: number)) else {
                throw .malformed("“\(key).value” is no version code: \(number).")
            }
            value = version
        case (.text(let text), .ios), (.text(let text), .macos):
            let text = text.string
            guard let version = Version(text) else {
                throw .malformed("“\(key).value” is no version: \(text.prefix(40)).")
            }
            value = version
        default:
            let needed = platform == .android ? "a whole number" : "a string"
            throw .malformed("“\(key).value” is not \(needed).")
        }
        title = try Texts(reading: object, "title", at: key)
        description = try Texts(reading: object, "description", at: key)
    }
}

extension DocumentStamp {
    fileprivate init(reading members: JSONObject) throws(AvailabilityError) {
        guard case .object(let stamp)? = members["plimsoll"] else {
            throw .malformed("The member “plimsoll”, which says where it belongs, is missing.")
        }
        guard
            let app = stamp["app"]?.string,
            let platform = stamp["platform"]?.string,
            case .integer(let sequence)? = stamp["sequence"], sequence > 0,
            case .integer(let position)? = stamp["position"],
            let issued = stamp["issuedAt"]?.string,
            let expires = stamp["expiresAt"]?.string,
            let issuedAt = Date(rfc3339: issued), let expiresAt = Date(rfc3339: expires)
        else { throw .malformed("A part of “plimsoll” is missing or of another form.") }
        guard let platform = Platform(rawValue: platform) else {
            throw AvailabilityError(
                .anotherPlatform,
                "The document is for \(platform.prefix(40)), which this client does not know."
            )
        }
        self.init(
            app: app,
            platform: platform,
            sequence: sequence,
            position: position,
            issuedAt: issuedAt,
            expiresAt: expiresAt
        )
    }
}

/// A published document: which versions may run, and what to tell the others.
///
/// Only ``DocumentVerifier`` makes one, so whoever holds one holds what the service signed.
public struct AvailabilityDocument: Hashable, Sendable {
    /// Where it belongs and how old it is.
    public let stamp: DocumentStamp
    private let thresholds: [ThresholdName: Threshold]
    /// Everything that the document says, known or not.
    package let members: JSONObject

    init(stamp: DocumentStamp, thresholds: [ThresholdName: Threshold], members: JSONObject) {
        self.stamp = stamp
        self.thresholds = thresholds
        self.members = members
    }

    /// One of its lines; `nil` where the document has none of this name.
    public subscript(name: ThresholdName) -> Threshold? { thresholds[name] }
}

/// Where a document belongs, and how old it is: its member `plimsoll`.
///
/// The signature is over bytes that any document of the same key could have. The stamp is what
/// keeps one from passing for another, or an old one for a new one.
public struct DocumentStamp: Hashable, Sendable {
    /// The slug of the app, such as `harbour`.
    public let app: String
    /// The platform it is for.
    public let platform: Platform
    /// The number of the publication; a later one is higher.
    public let sequence: Int64
    /// The position in the service's log whose state is published.
    public let position: Int64
    /// When the publication was ordered, by the service's clock.
    public let issuedAt: Date
    /// From then on it is stale: still the last word, but a newer one should have come.
    public let expiresAt: Date
}
