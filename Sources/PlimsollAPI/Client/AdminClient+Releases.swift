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
