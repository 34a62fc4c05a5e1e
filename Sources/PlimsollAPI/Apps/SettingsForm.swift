package import PlimsollDomain
package import PlimsollJSON

/// The body of `PUT /v1/apps/{app}/settings`: all settings from then on, and why.
package struct SettingsForm: Form {
    package let settings: AppSettings
    package let reason: Reason?

    package init(settings: AppSettings, reason: Reason? = nil) {
        self.settings = settings
        self.reason = reason
    }

    package init?(_ reader: inout ObjectReader) {
        let settings = AppSettings(&reader, .whole)
        let reason = reader.optionalReason("reason")
        guard let settings else { return nil }
        self.init(settings: settings, reason: reason)
    }

    package var json: JSONObject {
        var json = settings.json
        json["reason"] = JSONValue(reason?.text)
        return json
    }
}
