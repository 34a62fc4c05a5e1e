package import PlimsollDomain
import PlimsollStore

extension UseCases {
    /// The settings of an app, now or then; asks for a viewer.
    package func settings(
        of slug: AppSlug,
        at moment: Moment = .live,
        for caller: Caller
    ) async throws(UseCaseError) -> SettingsView {
        let world = try world()
        let app = try visibleApp(slug, caller, world)
        let event: RecordedEvent?
        if moment == .live {
            event = try await read {
                try await readModels.log.events(at: [app.settingsSince]).first
            }
        } else {
            event = try await settingsEvent(
                of: slug,
                at: try await resolve(moment, of: slug, world)
            )
        }
        guard let view = event.flatMap({ SettingsView($0, of: slug) }) else {
            throw .unexpected("no event brought the settings of \(slug)")
        }
        return moment == .live ? view.read(app.documents) : view
    }

    /// Gives an app other settings; asks for an administrator.
    package func changeSettings(
        of app: AppSlug,
        to settings: AppSettings,
        seen: Position?,
        reason: Reason?,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> SettingsView {
        let view = try await perform(
            ChangeAppSettings(
                of: app,
                to: settings,
                seen: seen,
                reason: reason,
                by: request.caller.principal
            ),
            request,
            seenBy: { SettingsView($0, of: app, isReal: $1) }
        ).view
        return view.read(try existingApp(app, try world()).documents)
    }

    /// The settings that an app had after a position at which there was it.
    func settings(
        of app: App,
        at position: Position
    ) async throws(UseCaseError) -> AppSettings {
        guard position < app.settingsSince else { return app.settings }
        return try await settingsEvent(of: app.slug, at: position)?.settings ?? app.settings
    }

    private func settingsEvent(
        of app: AppSlug,
        at position: Position
    ) async throws(UseCaseError) -> RecordedEvent? {
        try await read { try await readModels.settingsEvent(of: app, upTo: position) }
    }
}
