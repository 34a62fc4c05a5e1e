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
