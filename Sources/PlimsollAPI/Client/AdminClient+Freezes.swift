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

    /// What freezes it now, and what is planned to.
    package func freezes(of app: AppSlug?) async throws(AdminError) -> FreezesAnswer {
        try await get(Self.freezePath(app))
    }

    package func planFreeze(
        _ app: AppSlug?,
        _ form: FreezePlanForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> FreezePlanAnswer {
        try await post(form, to: Self.freezePath(app) + "/plans", write)
    }

    package func cancelFreezePlan(
        _ plan: Position,
        of app: AppSlug?,
        _ form: ReasonForm = ReasonForm(),
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) {
        try await delete("\(Self.freezePath(app))/plans/\(plan)", form, write)
    }

    private static func freezePath(_ app: AppSlug?) -> String {
        app.map { "/v1/apps/\($0)/freeze" } ?? "/v1/freeze"
    }
}
