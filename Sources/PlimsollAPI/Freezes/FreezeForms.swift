package import PlimsollDomain
package import PlimsollJSON

/// The body of `POST /v1/apps/{app}/freeze` and of `POST /v1/freeze`.
package struct FreezeForm: Form {
    package let reason: Reason

    package init(reason: Reason) { self.reason = reason }

    package init?(_ reader: inout ObjectReader) {
        guard let reason = reader.reason("reason") else { return nil }
        self.init(reason: reason)
    }

    package var json: JSONObject { ["reason": .string(reason.text)] }
}

/// What does not change for now, since when, who wanted it, and why.
package struct FreezeAnswer: Answer {
    /// `nil` is every app.
    package let app: AppSlug?
    package let by: PrincipalID
    package let since: Instant
    package let reason: Reason?

    package init(app: AppSlug?, by: PrincipalID, since: Instant, reason: Reason?) {
        self.app = app
        self.by = by
        self.since = since
        self.reason = reason
    }

    package init?(_ reader: inout ObjectReader) {
        let app = reader.optionalString("app", needing: "an app's slug") { AppSlug($0) }
        let by = reader.principal("by")
        let since = reader.instant("since")
        let reason = reader.optionalReason("reason")
        guard let by, let since else { return nil }
        self.init(app: app, by: by, since: since, reason: reason)
    }

    package var json: JSONObject {
        [
            "app": JSONValue(app?.text),
            "by": .string(by.text),
            "since": JSONValue(since),
            "reason": JSONValue(reason?.text),
        ]
    }
}
