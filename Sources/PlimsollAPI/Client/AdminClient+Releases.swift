package import PlimsollDomain

/// `/v1/apps/{app}/releases`.
extension AdminClient {
    package func releases(
        of app: AppSlug,
        on platform: Platform? = nil,
        at moment: DocumentMoment = .live
    ) async throws(AdminError) -> ReleaseList {
        let platforms = platform.map { [(name: "platform", value: $0.rawValue)] } ?? []
        return try await get("/v1/apps/\(app)/releases", platforms + moment.query)
    }

    package func register(
        _ version: VersionValue,
        on platform: Platform,
        of app: AppSlug,
        _ form: ReleaseForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> ReleaseAnswer {
        try await put(form, to: Self.path(app, platform, version), write, ifMatch: nil)
    }

    package func amend(
        _ version: VersionValue,
        on platform: Platform,
        of app: AppSlug,
        _ form: ReleaseAmendmentForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> ReleaseAnswer {
        try await post(form, to: Self.path(app, platform, version) + "/amend", write)
    }

    package func withdraw(
        _ version: VersionValue,
        on platform: Platform,
        of app: AppSlug,
        _ form: ReasonForm = ReasonForm(),
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) {
        try await delete(Self.path(app, platform, version), form, write)
    }

    /// What every known release shows in a state, and in another.
    package func matrix(
        of app: AppSlug,
        on platform: Platform,
        from: StateName,
        to: StateName?
    ) async throws(AdminError) -> MatrixAnswer {
        let states = [("from", from)] + (to.map { [("to", $0)] } ?? [])
        return try await get(
            "/v1/apps/\(app)/matrix",
            [("platform", platform.rawValue)] + states.map { ($0.0, $0.1.text) }
        )
    }

    /// What one device shows in a state, and in another.
    package func simulation(
        of device: Device,
        by generation: ClientGeneration? = nil,
        in app: AppSlug,
        from: StateName,
        to: StateName?
    ) async throws(AdminError) -> SimulationAnswer {
        let known = [
            ("platform", device.platform.rawValue), ("os", device.os.description),
            ("app", device.app.description),
            (
                "language", device.languages.map(\.text).joined(separator: ",")
            ),
        ]
        let client = generation.map { [("client", $0.name)] } ?? []
        let store = device.store.map { [("store", $0.description)] } ?? []
        let states = [("from", from)] + (to.map { [("to", $0)] } ?? [])
        return try await get(
            "/v1/apps/\(app)/simulate",
            known + store + client + states.map { ($0.0, $0.1.text) }
        )
    }

    private static func path(
        _ app: AppSlug,
        _ platform: Platform,
        _ version: VersionValue
    ) -> String {
        "/v1/apps/\(app)/releases/\(platform.rawValue)/\(version)"
    }
}

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

/// `/v1/keys` and `/v1/apps/{app}/keys`: the keys that sign what is published.
extension AdminClient {
    package func keys() async throws(AdminError) -> KeyList {
        try await get("/v1/keys")
    }

    package func key(_ id: KeyID) async throws(AdminError) -> KeyAnswer {
        try await get("/v1/keys/\(id)")
    }

    package func addKey(
        to app: AppSlug,
        _ form: KeyForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> KeyAnswer {
        try await post(form, to: "/v1/apps/\(app)/keys", write)
    }

    /// Has a key sign that was seen to stand there in its life.
    package func activateKey(
        _ id: KeyID,
        seen: Position,
        _ form: KeyTurnForm = KeyTurnForm(),
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> KeyAnswer {
        try await post(form, to: "/v1/keys/\(id)/activate", write, ifMatch: seen.description)
    }

    package func retireKey(
        _ id: KeyID,
        seen: Position,
        _ form: KeyTurnForm = KeyTurnForm(),
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> KeyAnswer {
        try await post(form, to: "/v1/keys/\(id)/retire", write, ifMatch: seen.description)
    }

    package func compromiseKey(
        _ id: KeyID,
        _ form: CompromiseForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> KeyAnswer {
        try await post(form, to: "/v1/keys/\(id)/compromise", write)
    }
}

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
