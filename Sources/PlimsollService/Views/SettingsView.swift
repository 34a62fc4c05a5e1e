package import PlimsollDomain

/// The settings of an app as they are, were or would be, and the event that made them so.
package struct SettingsView: Equatable, Sendable {
    package let app: AppSlug
    package let settings: AppSettings
    /// `nil` where they were only tried.
    package let position: Position?
    package let by: PrincipalID
    package let since: Instant
    package let reason: Reason?
    /// The apps in people's hands that refuse what is live under these settings; of settings of
    /// earlier nothing is said.
    package private(set) var unread: [UnreadDocument] = []

    /// `nil` for an event that brings no settings.
    init?(_ recorded: RecordedEvent, of app: AppSlug, isReal: Bool = true) {
        guard let settings = recorded.settings else { return nil }
        self.app = app
        self.settings = settings
        position = isReal ? recorded.position : nil
        by = recorded.origin.actor
        since = recorded.recordedAt
        reason = recorded.origin.reason
    }
}

extension SettingsView {
    /// The same, with who would refuse these documents.
    func read(_ documents: [Platform: Document]) -> SettingsView {
        var view = self
        view.unread = documents.keys.sorted().flatMap { platform in
            documents[platform]?.published(settings.profile).unread(by: settings.readers) ?? []
        }
        return view
    }
}
