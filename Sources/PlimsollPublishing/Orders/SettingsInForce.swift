import PlimsollDomain

/// Which settings every app has, a fold of the log.
struct SettingsInForce: Equatable, Sendable {
    private var standings: [AppSlug: Standing] = [:]

    private struct Standing: Equatable {
        let settings: AppSettings
        let position: Position
    }

    /// Where the event stands that brought them; the beginning for an app that there is not.
    func position(for app: AppSlug) -> Position { standings[app]?.position ?? .start }

    /// Takes in the next event of the log; answers what of which app's published bytes it makes
    /// others, if it does.
    mutating func evolve(_ recorded: RecordedEvent) -> (app: AppSlug, effect: SettingsEffect)? {
        guard let settings = recorded.settings, case .app(let app) = recorded.stream else {
            return nil
        }
        let standing = Standing(settings: settings, position: recorded.position)
        guard let before = standings.updateValue(standing, forKey: app) else { return nil }
        let effect = SettingsEffect(from: before.settings, to: settings)
        return effect.isEmpty ? nil : (app, effect)
    }
}
