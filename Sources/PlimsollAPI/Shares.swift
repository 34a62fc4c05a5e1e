package import PlimsollDomain
package import PlimsollJSON

/// The last count of an app's devices on a platform; without rows there was none.
package struct VersionSharesAnswer: Answer {
    package let app: AppSlug
    package let platform: Platform
    package let shares: VersionShares

    package init(app: AppSlug, platform: Platform, shares: VersionShares) {
        (self.app, self.platform, self.shares) = (app, platform, shares)
    }

    package init?(_ reader: inout ObjectReader) {
        let app = reader.slug("app")
        let platform = reader.platform("platform")
        let rows = reader.objects("rows", .ignored, VersionShares.Row.init)
        guard let app, let platform, let rows else { return nil }
        self.init(app: app, platform: platform, shares: VersionShares(rows: rows))
    }

    package var json: JSONObject {
        [
            "app": .string(app.text), "platform": .string(platform.rawValue),
            "devices": .integer(shares.devices), "rows": JSONValue(shares.rows),
        ]
    }
}

/// The count of devices on a platform that a change is judged by: the event that brought it.
package struct CountAnswer: Answer {
    package let platform: Platform
    package let position: Position
    package let by: PrincipalID
    package let at: Instant

    package init(platform: Platform, position: Position, by: PrincipalID, at: Instant) {
        (self.platform, self.position, self.by, self.at) = (platform, position, by, at)
    }

    package init?(_ reader: inout ObjectReader) {
        let platform = reader.platform("platform")
        let position = reader.position("position")
        let by = reader.principal("by")
        let at = reader.instant("at")
        guard let platform, let position, let by, let at else { return nil }
        self.init(platform: platform, position: position, by: by, at: at)
    }

    package var json: JSONObject {
        [
            "platform": .string(platform.rawValue), "position": JSONValue(position),
            "by": .string(by.text), "at": JSONValue(at),
        ]
    }
}

extension [Platform: Position] {
    package var json: JSONObject {
        var json: JSONObject = [:]
        for (platform, position) in self { json[platform.rawValue] = JSONValue(position) }
        return json
    }
}

extension ObjectReader {
    /// Positions by platforms; `nil` where the member is missing or null.
    mutating func optionalCounts(_ key: String) -> [Platform: Position]? {
        optionalObject(key) { reader in
            var counts: [Platform: Position] = [:]
            for platform in Platform.allCases {
                counts[platform] = reader.optionalPosition(platform.rawValue)
            }
            return counts
        }
    }
}

/// `{"platform": "ios", "devices": 1000, "before": 30, "after": 120, "added": 90, …}`
extension BlockedShare: Answer {
    package init?(_ reader: inout ObjectReader) {
        let platform = reader.platform("platform")
        let devices = reader.integer("devices")
        let before = reader.integer("before")
        let after = reader.integer("after")
        let added = reader.integer("added")
        guard let platform, let devices, let before, let after, let added else { return nil }
        self.init(
            platform: platform,
            devices: devices,
            before: before,
            after: after,
            added: added
        )
    }

    package var json: JSONObject {
        [
            "platform": .string(platform.rawValue), "devices": .integer(devices),
            "before": .integer(before), "after": .integer(after), "added": .integer(added),
            "sentence": .string(sentence),
        ]
    }
}

extension VersionShares {
    /// How many devices there are by another count, in all and then by their versions.
    func differences(to other: VersionShares) -> [Difference] {
        let (mine, theirs) = (counts, other.counts)
        let all = difference("devices", "devices", total, other.total)
        let members = mine.keys.sorted() + theirs.keys.filter { mine[$0] == nil }.sorted()
        return [all].compactMap(\.self)
            + members.compactMap { versions in
                let (member, subject) = ("devices.\(versions)", "devices with \(versions)")
                return difference(member, subject, mine[versions], theirs[versions])
            }
    }

    private func difference(
        _ member: String,
        _ subject: String,
        _ before: Int64?,
        _ after: Int64?
    ) -> Difference? {
        guard before != after else { return nil }
        return Difference(
            member: member,
            subject: subject,
            before: before?.description,
            after: after?.description
        )
    }

    /// `nil` where nothing was counted.
    private var total: Int64? { rows.isEmpty ? nil : devices }

    private var counts: [String: Int64] {
        Dictionary(rows.map { ($0.versions, $0.devices) }, uniquingKeysWith: +)
    }
}

extension VersionShares.Row {
    /// `3.1.0 on 15.4`.
    fileprivate var versions: String { app.description + (system.map { " on \($0)" } ?? "") }
}

/// The body of `PUT /v1/apps/{app}/shares/{platform}`, and what a JSON file says.
///
/// ```json
/// {"rows": [{"app": "3.1.0", "os": "15.4", "devices": 1200}, {"app": "3.0", "devices": 80}]}
/// ```
package struct VersionSharesForm: Form {
    package let shares: VersionShares
    package let reason: Reason?

    package init(shares: VersionShares, reason: Reason? = nil) {
        self.shares = shares
        self.reason = reason
    }

    package init?(_ reader: inout ObjectReader) {
        let rows = reader.objects("rows", .refused, VersionShares.Row.init)
        let reason = reader.optionalReason("reason")
        guard let rows else { return nil }
        self.init(shares: VersionShares(rows: rows), reason: reason)
    }

    package var json: JSONObject {
        ["rows": JSONValue(shares.rows), "reason": JSONValue(reason?.text)]
    }
}

extension VersionShares.Row: Form {
    package init?(_ reader: inout ObjectReader) {
        // Which form they have to have depends on the platform, which stands elsewhere.
        let app = reader.version("app", on: nil)
        let system = reader.optionalVersion("os", on: nil)
        let devices = reader.integer("devices")
        guard let app, let devices else { return nil }
        self.init(app: app, system: system, devices: devices)
    }

    package var json: JSONObject {
        [
            "app": JSONValue(app), "os": system.map(JSONValue.init) ?? .null,
            "devices": .integer(devices),
        ]
    }
}
