package import PlimsollDomain

/// `/v1/webhooks`: who is told what happens, and how that goes.
extension AdminClient {
    package func webhooks() async throws(AdminError) -> WebhookList {
        try await get("/v1/webhooks")
    }

    package func webhook(_ id: WebhookID) async throws(AdminError) -> WebhookAnswer {
        try await get("/v1/webhooks/\(id)")
    }

    /// The secret comes with this answer and never again.
    package func registerWebhook(
        _ form: WebhookForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> SecretWebhookAnswer {
        try await post(form, to: "/v1/webhooks", write)
    }

    /// The new secret comes with this answer and never again.
    package func rotateWebhookSecret(
        of id: WebhookID,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> SecretWebhookAnswer {
        try await post(EmptyForm(), to: "/v1/webhooks/\(id)/secret", write)
    }

    package func enableWebhook(
        _ id: WebhookID,
        _ form: ReasonForm = ReasonForm(),
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> WebhookAnswer {
        try await post(form, to: "/v1/webhooks/\(id)/enable", write)
    }

    package func disableWebhook(
        _ id: WebhookID,
        _ form: ReasonForm = ReasonForm(),
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> WebhookAnswer {
        try await post(form, to: "/v1/webhooks/\(id)/disable", write)
    }

    package func removeWebhook(
        _ id: WebhookID,
        _ form: ReasonForm = ReasonForm(),
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) {
        try await delete("/v1/webhooks/\(id)", form, write)
    }

    package func replay(
        _ form: ReplayForm,
        to id: WebhookID,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> WebhookAnswer {
        try await post(form, to: "/v1/webhooks/\(id)/replay", write)
    }

    /// Tells what came of it, good or bad.
    package func testWebhook(_ id: WebhookID) async throws(AdminError) -> DeliveryAnswer {
        try await post(EmptyForm(), to: "/v1/webhooks/\(id)/test", WriteOptions())
    }

    /// Newest first.
    package func deliveries(
        to id: WebhookID,
        _ page: PageOptions = PageOptions()
    ) async throws(AdminError) -> DeliveryList {
        try await get("/v1/webhooks/\(id)/deliveries", page.query)
    }
}
