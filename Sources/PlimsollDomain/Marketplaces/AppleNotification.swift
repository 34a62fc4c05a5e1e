import PlimsollJSON

/// What Apple told a marketplace's server, as it came and as far as it is understood.
package struct AppleNotification: Codable, Equatable, Sendable {
    /// The body of the request; what is kept is kept whole.
    package let text: String
    /// What Apple calls this notification, and this kind of them.
    package let id: String?
    package let type: String?
    /// `nil`: a kind or a version that is not known here.
    package let notice: AppNotice?

    /// So that an event has room for it, however many of its characters are escaped.
    package static let bytesMaximum = 30_000

    /// Reads a body; `nil` where it is no text that could be written down.
    package init?(_ bytes: [UInt8]) {
        guard !bytes.isEmpty, bytes.count <= Self.bytesMaximum,
            let text = String(validating: bytes, as: UTF8.self)
        else { return nil }
        self.init(text)
    }

    /// Of a list of packages that are taken down, which is taken in parts.
    package static let listBytesMaximum = 250_000
    /// So many ids, of 100 letters each, leave room for the rest.
    private static let idsMaximum = 200

    /// What a body says, in parts that each fit an event; `nil` where it is no text, or too long.
    ///
    /// Only a list of packages that are taken down can be divided. Each part says what the whole
    /// says, but of some of the packages.
    package static func parts(of bytes: [UInt8]) -> [AppleNotification]? {
        guard bytes.count > bytesMaximum else { return AppleNotification(bytes).map { [$0] } }
        guard bytes.count <= listBytesMaximum,
            let whole = (try? JSONValue(parsing: bytes))?.object, var data = whole["data"]?.object,
            case .unavailable(let ids)? = AppNotice(data)?.content,
            var attributes = data["attributes"]?.object
        else { return nil }
        let parts = stride(from: 0, to: ids.count, by: idsMaximum).compactMap { start in
            let some = ids[start..<min(start + idsMaximum, ids.count)]
            attributes[AppNotice.idsKey] = .array(some.map { .string($0.text) })
            data["attributes"] = .object(attributes)
            var part = whole
            part["data"] = .object(data)
            return AppleNotification(part.canonicalBytes())
        }
        let count = (ids.count + idsMaximum - 1) / idsMaximum
        return count > 0 && parts.count == count ? parts : nil
    }

    init?(_ text: String) {
        let isText = text.unicodeScalars.allSatisfy {
            $0.value >= 0x20 || [0x09, 0x0A, 0x0D].contains($0.value)
        }
        guard isText, text.utf8.count <= Self.bytesMaximum else { return nil }
        self.text = text
        // What is no JSON of ours may be JSON of Apple's: it is kept, and not understood.
        let data = (try? JSONValue(parsing: Array(text.utf8)))?.object?["data"]?.object
        id = data?["id"]?.string
        type = data?["type"]?.string
        notice = data.flatMap(AppNotice.init)
    }
}

extension AppleNotification {
    /// What it is about, and why nothing came of it.
    package var whyKept: String {
        guard let notice else {
            let name = type.map { "“\($0.prefix(100))”" } ?? "what has no type"
            return "\(name) is not understood here"
        }
        return "\(notice.content.phrase) of app \(notice.app) in marketplace \(notice.marketplace),"
            + " which is not listed there"
    }
}

extension AppNotice.Content {
    fileprivate var phrase: String {
        switch self {
        case .available(let announcement): "package \(announcement.id)"
        case .unavailable(let ids):
            "the withdrawal of \(ids.map(\.text).joined(separator: ", "))"
        case .appUnavailable: "the withdrawal"
        }
    }
}

/// What a notification says of an app that a marketplace lists.
package struct AppNotice: Codable, Equatable, Sendable {
    package let marketplace: AppleItemID
    package let app: AppleItemID
    package private(set) var content: Content
    /// When it happened, as Apple says.
    package private(set) var happenedAt: Instant?

    /// What happened.
    package enum Content: Codable, Equatable, Sendable {
        /// There is a package, or more of one.
        case available(PackageAnnouncement)
        /// These are not to be handed out any more.
        case unavailable([PackageID])
        /// None of the app's is.
        case appUnavailable
    }

    /// The member that lists what is taken down.
    fileprivate static let idsKey = "alternativeDistributionPackageIds"

    fileprivate init?(_ data: JSONObject) {
        guard data["version"]?.integer == 1, let attributes = data["attributes"]?.object,
            let marketplace = attributes["marketplaceAppId"].flatMap(Self.item),
            let app = attributes["appId"].flatMap(Self.item),
            let type = data["type"]?.string
        else { return nil }
        let time = attributes["eventTimestamp"]?.string ?? data["timestamp"]?.string
        (self.marketplace, self.app) = (marketplace, app)
        happenedAt = time.flatMap { Instant(rfc3339: $0) }
        switch type {
        case "AlternativeDistributionPackageVersionAvailable":
            guard let announcement = PackageAnnouncement(attributes, at: happenedAt) else {
                return nil
            }
            content = .available(announcement)
        // Apple's table has the one name, and its example the other.
        case "AppVersionsUnavailable", "AppVersionUnavailable":
            guard let list = attributes[Self.idsKey]?.array else {
                return nil
            }
            let ids = list.compactMap { $0.string.flatMap { PackageID($0) } }
            guard ids.count == list.count else { return nil }
            content = .unavailable(ids)
        case "AppUnavailable": content = .appUnavailable
        default: return nil
        }
    }

    /// Apple writes numbers of apps as texts here, and as numbers elsewhere.
    private static func item(_ value: JSONValue) -> AppleItemID? {
        (value.string ?? value.integer.map(String.init)).flatMap { AppleItemID($0) }
    }
}

extension AppNotice {
    /// The same; where Apple says no time it happened when it was heard.
    func heard(at instant: Instant) -> AppNotice {
        guard happenedAt == nil else { return self }
        var notice = self
        notice.happenedAt = instant
        if case .available(let announcement) = content {
            notice.content = .available(
                PackageAnnouncement(
                    id: announcement.id,
                    versionID: announcement.versionID,
                    number: announcement.number,
                    announcedAt: instant
                )
            )
        }
        return notice
    }
}

extension PackageAnnouncement {
    fileprivate init?(_ attributes: JSONObject, at instant: Instant?) {
        let id = attributes["alternativeDistributionPackageId"]?.string
        let versionID = attributes["alternativeDistributionPackageVersionId"]?.string
        guard let id = id.flatMap({ PackageID($0) }),
            let versionID = versionID.flatMap({ PackageID($0) })
        else { return nil }
        let number = attributes["alternativeDistributionPackageVersionNum"]
        self.init(
            id: id,
            versionID: versionID,
            number: number?.string.flatMap { Int64($0) } ?? number?.integer,
            announcedAt: instant
        )
    }
}

/// Notifications that led to nothing yet.
package struct KeptNotifications: Codable, Equatable, Sendable {
    /// A notification, and when it came.
    package struct Kept: Codable, Equatable, Sendable {
        package let notification: AppleNotification
        package let position: Position
        package let recordedAt: Instant
    }

    /// About apps that no marketplace here lists, oldest first; listing one takes them up.
    package private(set) var waiting: [Kept] = []
    /// Those that are not understood, oldest first: so many as there is room for.
    package private(set) var unread: [Kept] = []

    package static let waitingMaximum = 1000
    package static let unreadMaximum = 100

    var isFull: Bool { waiting.count >= Self.waitingMaximum }

    /// Whether the same was kept before; the time and the name of a second copy tell nothing new.
    func contains(_ notification: AppleNotification) -> Bool {
        guard let notice = notification.notice else {
            return unread.contains { $0.notification.text == notification.text }
        }
        return waiting.contains { $0.notification.notice == notice }
    }

    /// What waits for an app to be listed, oldest first.
    func waiting(of app: AppleItemID, in marketplace: AppleItemID) -> [Kept] {
        waiting.filter {
            $0.notification.notice?.app == app && $0.notification.notice?.marketplace == marketplace
        }
    }

    mutating func keep(_ notification: AppleNotification, _ recorded: RecordedEvent) {
        let kept = Kept(
            notification: notification,
            position: recorded.position,
            recordedAt: recorded.recordedAt
        )
        if notification.notice != nil { return waiting.append(kept) }
        unread = unread.suffix(Self.unreadMaximum - 1) + [kept]
    }

    /// Lets go of what was taken up with a listing, or dropped.
    mutating func release(of app: AppleItemID, in marketplace: AppleItemID) {
        waiting.removeAll {
            $0.notification.notice?.app == app && $0.notification.notice?.marketplace == marketplace
        }
    }
}
