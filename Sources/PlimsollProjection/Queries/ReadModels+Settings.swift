package import PlimsollDomain
import PlimsollPostgres
import PlimsollStore

/// The settings of apps, as they were.
extension ReadModels {
    /// The event that brought the settings an app had after a position; `nil` before there was it.
    package func settingsEvent(
        of app: AppSlug,
        upTo position: Position
    ) async throws -> RecordedEvent? {
        try await catchUp(to: position)
        let rows = try await database.query(
            """
            SELECT position FROM projection.event
            WHERE generation = (SELECT generation FROM projection.live)
                AND app = \(app.text) AND type = \(EventType.appSettingsChanged.rawValue)
                AND position <= \(position.rawValue)
            ORDER BY position DESC LIMIT 1
            """
        )
        if let row = rows.first {
            return try await log.events(at: [Position(try row.value(at: 0, as: Int.self))]).first
        }
        let first = try await log.events(of: .app(app), limit: 1).first
        return first.flatMap { $0.position <= position ? $0 : nil }
    }

    /// The settings that each of the events that bring others has put an end to.
    func settingsBefore(
        _ events: [RecordedEvent]
    ) async throws -> [Position: AppSettings] {
        var settings: [Position: AppSettings] = [:]
        for recorded in events {
            guard case .app(.appSettingsChanged) = recorded.event,
                case .app(let app) = recorded.stream
            else { continue }
            let before = try await settingsEvent(of: app, upTo: recorded.position.before)
            settings[recorded.position] = before?.settings
        }
        return settings
    }
}
