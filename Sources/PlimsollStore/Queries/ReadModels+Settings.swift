package import PlimsollDomain

/// The settings of apps, as they were.
extension ReadModels {
    /// The event that brought the settings an app had after a position; `nil` before there was it.
    package func settingsEvent(
        of app: AppSlug,
        upTo position: Position
    ) async throws -> RecordedEvent? {
        if let last = try await last(.appSettingsChanged, of: app, upTo: position) { return last }
        let first = try await log.events(of: .app(app), limit: 1).first
        return first.flatMap { $0.position <= position ? $0 : nil }
    }
}
