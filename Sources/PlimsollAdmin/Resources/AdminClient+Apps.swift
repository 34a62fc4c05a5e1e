package import PlimsollAPI
package import PlimsollDomain

/// `/v1/apps`, and what hangs on an app.
extension AdminClient {
    package func apps() async throws(AdminError) -> AppList {
        try await get("/v1/apps")
    }

    package func app(_ slug: AppSlug) async throws(AdminError) -> AppAnswer {
        try await get("/v1/apps/\(slug)")
    }

    package func register(
        _ form: RegistrationForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> AppAnswer {
        try await post(form, to: "/v1/apps", write)
    }

    /// Who put there what each field of a document holds.
    package func blame(
        of app: AppSlug,
        on platform: Platform,
        at moment: DocumentMoment = .live
    ) async throws(AdminError) -> BlameAnswer {
        try await get("/v1/apps/\(app)/documents/\(platform.rawValue)/blame", moment.query)
    }

    package func document(
        of app: AppSlug,
        on platform: Platform,
        at moment: DocumentMoment = .live
    ) async throws(AdminError) -> DocumentAnswer {
        try await get("/v1/apps/\(app)/documents/\(platform.rawValue)", moment.query)
    }

    package func rollBack(
        _ app: AppSlug,
        _ form: RollbackForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> RollbackAnswer {
        try await post(form, to: "/v1/apps/\(app)/rollback", write)
    }
}
