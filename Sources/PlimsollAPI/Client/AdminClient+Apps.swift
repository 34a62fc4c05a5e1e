package import PlimsollDomain

/// `/v1/apps`, and what hangs on an app.
extension AdminClient {
    package func apps(at moment: DocumentMoment = .live) async throws(AdminError) -> AppList {
        try await get("/v1/apps", moment.query)
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

    /// Has the app's documents stand at the addresses without an app's name.
    package func chooseDefault(
        _ app: AppSlug,
        _ form: DefaultAppForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> DefaultAppAnswer {
        try await post(form, to: "/v1/apps/\(app)/default", write)
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

    package func princeOfVersions(
        of app: AppSlug,
        at moment: DocumentMoment = .live
    ) async throws(AdminError) -> PrinceOfVersionsAnswer {
        try await get("/v1/apps/\(app)/prince-of-versions", moment.query)
    }

    /// The same in a state as of a comparison.
    package func princeOfVersions(
        of app: AppSlug,
        in state: StateName
    ) async throws(AdminError) -> PrinceOfVersionsAnswer {
        switch state {
        case .live: try await princeOfVersions(of: app)
        case .event(let position): try await princeOfVersions(of: app, at: .event(position))
        case .time(let instant): try await princeOfVersions(of: app, at: .time(instant))
        case .change, .snapshot, .rollback:
            try await get("/v1/apps/\(app)/prince-of-versions", [("in", state.text)])
        }
    }

    /// Every event that wrote a field, newest first.
    package func history(
        of field: Field,
        in app: AppSlug,
        _ page: PageOptions = PageOptions()
    ) async throws(AdminError) -> FieldHistoryAnswer {
        try await get(
            "/v1/apps/\(app)/documents/\(field.platform.rawValue)/history",
            [("field", field.path)] + page.query
        )
    }

    /// What is different between two states; on one platform, or on all.
    package func diff(
        of app: AppSlug,
        from: StateName,
        to: StateName,
        on platform: Platform? = nil
    ) async throws(AdminError) -> DiffAnswer {
        let platforms = platform.map { [(name: "platform", value: $0.rawValue)] } ?? []
        return try await get(
            "/v1/apps/\(app)/diff",
            [("from", from.text), ("to", to.text)] + platforms
        )
    }

    package func rollBack(
        _ app: AppSlug,
        _ form: RollbackForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> RollbackAnswer {
        try await post(form, to: "/v1/apps/\(app)/rollback", write)
    }
}
