package import PlimsollDomain

/// `/v1/apps/{app}/emergency` and `/v1/apps/{app}/block`, and `/v1/reviews` of what they did.
extension AdminClient {
    package func declareEmergency(
        _ app: AppSlug,
        _ form: EmergencyForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> EmergencyAnswer {
        try await post(form, to: "/v1/apps/\(app)/emergency", write)
    }

    package func block(
        _ app: AppSlug,
        _ form: BlockForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> EmergencyAnswer {
        try await post(form, to: "/v1/apps/\(app)/block", write)
    }

    /// Open ones, oldest first; of all apps and owners where none is named.
    package func reviews(
        of app: AppSlug? = nil,
        owners: [PrincipalID] = [],
        overdue: Bool? = nil,
        _ page: PageOptions = PageOptions()
    ) async throws(AdminError) -> ReviewList {
        var query = owners.map { (name: "owner", value: $0.text) }
        if let app { query.append(("app", app.text)) }
        if let overdue { query.append(("overdue", String(overdue))) }
        return try await get("/v1/reviews", query + page.query)
    }

    package func review(_ position: Position) async throws(AdminError) -> ReviewAnswer {
        try await get("/v1/reviews/\(position)")
    }

    package func closeReview(
        _ position: Position,
        _ form: ReviewForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> ReviewAnswer {
        try await post(form, to: "/v1/reviews/\(position)/close", write)
    }
}
