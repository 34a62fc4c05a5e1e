package import PlimsollAPI
package import PlimsollDomain

/// `/v1/apps/{app}/freeze`, and `/v1/freeze` where no app is named.
extension AdminClient {
    package func freeze(
        _ app: AppSlug?,
        _ form: FreezeForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> FreezeAnswer {
        try await post(form, to: Self.freezePath(app), write)
    }

    package func thaw(
        _ app: AppSlug?,
        _ form: ReasonForm = ReasonForm(),
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) {
        try await delete(Self.freezePath(app), form, write)
    }

    private static func freezePath(_ app: AppSlug?) -> String {
        app.map { "/v1/apps/\($0)/freeze" } ?? "/v1/freeze"
    }
}
