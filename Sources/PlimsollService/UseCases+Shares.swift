package import PlimsollDomain
import PlimsollStore

extension UseCases {
    /// The last count of an app's devices on a platform; asks for a viewer.
    package func versionShares(
        of slug: AppSlug,
        on platform: Platform,
        for caller: Caller
    ) throws(UseCaseError) -> VersionShares {
        let app = try visibleApp(slug, with: platform, caller, try world())
        return app.shares[platform] ?? VersionShares(rows: [])
    }

    /// Puts a count in the place of the last one; asks for a proposer or an administrator.
    ///
    /// To send the same again is done at once.
    package func replaceVersionShares(
        of app: AppSlug,
        on platform: Platform,
        with shares: VersionShares,
        reason: Reason?,
        _ request: WriteRequest
    ) async throws(UseCaseError) {
        let command = ReplaceVersionShares(
            of: app,
            on: platform,
            with: shares,
            reason: reason,
            by: request.caller.principal
        )
        _ = try await performIfNews(command, request)
    }

    /// Takes a count away; asks for a proposer or an administrator.
    ///
    /// Where there is none it stays so.
    package func removeVersionShares(
        of app: AppSlug,
        on platform: Platform,
        reason: Reason?,
        _ request: WriteRequest
    ) async throws(UseCaseError) {
        let by = request.caller.principal
        let command = RemoveVersionShares(of: app, on: platform, reason: reason, by: by)
        _ = try await performIfNews(command, request)
    }
}
