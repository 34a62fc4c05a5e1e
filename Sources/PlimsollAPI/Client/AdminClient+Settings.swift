package import PlimsollDomain

/// `/v1/apps/{app}/settings`.
extension AdminClient {
    package func settings(
        of app: AppSlug,
        at moment: DocumentMoment = .live
    ) async throws(AdminError) -> SettingsAnswer {
        try await get("/v1/apps/\(app)/settings", moment.query)
    }

    /// Gives an app other settings in the place of those that were seen.
    package func change(
        settingsOf app: AppSlug,
        seen: Position,
        _ form: SettingsForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> SettingsAnswer {
        try await put(form, to: "/v1/apps/\(app)/settings", write, ifMatch: seen.description)
    }
}
