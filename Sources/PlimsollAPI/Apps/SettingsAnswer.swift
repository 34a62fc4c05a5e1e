package import PlimsollDomain
package import PlimsollJSON

/// The settings of an app, and the event that brought them.
package struct SettingsAnswer: Answer {
    package let app: AppSlug
    package let settings: AppSettings
    /// What whoever changes them has to name; `nil` for those that were only tried.
    package let position: Position?
    package let by: PrincipalID
    package let since: Instant
    package let reason: Reason?
    /// The apps in people's hands that refuse what is live under these settings.
    package let refusedBy: [SimulationAnswer.Refuser]

    package init(
        app: AppSlug,
        settings: AppSettings,
        position: Position?,
        by: PrincipalID,
        since: Instant,
        reason: Reason?,
        refusedBy: [SimulationAnswer.Refuser] = []
    ) {
        (self.app, self.settings) = (app, settings)
        (self.position, self.by) = (position, by)
        (self.since, self.reason, self.refusedBy) = (since, reason, refusedBy)
    }

    package init?(_ reader: inout ObjectReader) {
        let app = reader.slug("app")
        let settings = reader.object("settings").flatMap { settings in
            reader.nested(settings, at: reader.pointer.appending("settings"), .ignored) { reader in
                AppSettings(&reader, .whole)
            }
        }
        let position = reader.optionalPosition("position")
        let by = reader.principal("by")
        let since = reader.instant("since")
        let reason = reader.optionalReason("reason")
        let refusedBy = reader.refusers()
        guard let app, let settings, let by, let since, let refusedBy else {
            return nil
        }
        self.init(
            app: app,
            settings: settings,
            position: position,
            by: by,
            since: since,
            reason: reason,
            refusedBy: refusedBy
        )
    }

    package var json: JSONObject {
        [
            "app": .string(app.text),
            "position": JSONValue(position),
            "by": .string(by.text),
            "since": JSONValue(since),
            "reason": JSONValue(reason?.text),
            "settings": .object(settings.json),
            "refusedBy": .array(refusedBy.map { .object($0.json) }),
        ]
    }
}
