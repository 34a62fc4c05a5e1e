package import PlimsollDomain

/// `/v1/apps/{app}/shares/{platform}`.
extension AdminClient {
    package func versionShares(
        of app: AppSlug,
        on platform: Platform
    ) async throws(AdminError) -> VersionSharesAnswer {
        try await get("/v1/apps/\(app)/shares/\(platform.rawValue)")
    }

    package func replace(
        sharesOf app: AppSlug,
        on platform: Platform,
        _ form: VersionSharesForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> VersionSharesAnswer {
        let path = "/v1/apps/\(app)/shares/\(platform.rawValue)"
        return try await put(form, to: path, write, ifMatch: nil)
    }

    package func removeVersionShares(
        of app: AppSlug,
        on platform: Platform,
        _ form: ReasonForm = ReasonForm(),
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) {
        try await delete("/v1/apps/\(app)/shares/\(platform.rawValue)", form, write)
    }
}
