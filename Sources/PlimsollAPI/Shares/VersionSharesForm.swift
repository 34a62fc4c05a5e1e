package import PlimsollDomain
package import PlimsollJSON

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
