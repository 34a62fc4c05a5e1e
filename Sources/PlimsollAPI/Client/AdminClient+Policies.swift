package import PlimsollDomain

/// `/v1/apps/{app}/policy`, and `/v1/policy` where no app is named.
extension AdminClient {
    package func policy(
        of app: AppSlug?,
        at moment: DocumentMoment = .live
    ) async throws(AdminError) -> PolicyAnswer {
        try await get(Self.policyPath(app), moment.query)
    }

    /// Puts a policy into force in the place of the one that was seen.
    package func change(
        policyOf app: AppSlug?,
        seen: Position,
        _ form: PolicyForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> PolicyAnswer {
        try await put(form, to: Self.policyPath(app), write, ifMatch: seen.description)
    }

    /// Has an app follow the default policy again, in the place of the one that was seen.
    package func reset(
        policyOf app: AppSlug,
        seen: Position,
        _ form: ReasonForm = ReasonForm(),
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) {
        try await delete(Self.policyPath(app), form, write, ifMatch: seen.description)
    }

    private static func policyPath(_ app: AppSlug?) -> String {
        app.map { "/v1/apps/\($0)/policy" } ?? "/v1/policy"
    }
}
