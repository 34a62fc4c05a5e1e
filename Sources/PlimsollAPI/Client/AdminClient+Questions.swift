package import PlimsollDomain

/// Questions that are put together from several things.
extension AdminClient {
    package func changes(
        of app: AppSlug,
        in states: [ChangeState] = [],
        by authors: [PrincipalID] = [],
        on platforms: [Platform] = [],
        at moment: DocumentMoment = .live,
        needingMe: Bool = false,
        _ page: PageOptions = PageOptions()
    ) async throws(AdminError) -> ChangeList {
        let needs = needingMe ? [(name: "needsMe", value: "true")] : []
        let filters =
            states.map { (name: "state", value: $0.rawValue) }
            + authors.map { (name: "author", value: $0.text) }
            + platforms.map { (name: "platform", value: $0.rawValue) }
        let query = filters + moment.query + needs + page.query
        return try await call(Endpoints.listChanges, app, query)
    }

    package func document(
        of app: AppSlug,
        on platform: Platform,
        at moment: DocumentMoment = .live
    ) async throws(AdminError) -> DocumentAnswer {
        try await call(Endpoints.getDocument, AppPlatform(app, platform), moment.query)
    }

    /// What clients of Prince of Versions are told in a state as of a comparison.
    package func princeOfVersions(
        of app: AppSlug,
        in state: StateName
    ) async throws(AdminError) -> PrinceOfVersionsAnswer {
        let query =
            switch state {
            case .live: DocumentMoment.live.query
            case .event(let position): DocumentMoment.event(position).query
            case .time(let instant): DocumentMoment.time(instant).query
            case .change, .snapshot, .rollback: [(name: "in", value: state.text)]
            }
        return try await call(Endpoints.getPrinceOfVersions, app, query)
    }

    /// Every event that wrote a field, newest first.
    package func history(
        of field: Field,
        in app: AppSlug,
        _ page: PageOptions = PageOptions()
    ) async throws(AdminError) -> FieldHistoryAnswer {
        let place = AppPlatform(app, field.platform)
        return try await call(
            Endpoints.getFieldHistory,
            place,
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
        let states = [(name: "from", value: from.text), (name: "to", value: to.text)]
        return try await call(Endpoints.diffStates, app, states + platforms)
    }

    /// Open ones, oldest first, or closed ones, newest first; of all apps and owners where none is named.
    package func reviews(
        of app: AppSlug? = nil,
        owners: [PrincipalID] = [],
        overdue: Bool? = nil,
        closed: Bool = false,
        _ page: PageOptions = PageOptions()
    ) async throws(AdminError) -> ReviewList {
        var query = owners.map { (name: "owner", value: $0.text) }
        if let app { query.append(("app", app.text)) }
        if closed { query.append(("closed", "true")) }
        if let overdue { query.append(("overdue", String(overdue))) }
        return try await call(Endpoints.listReviews, query + page.query)
    }

    /// The tokens that were not revoked; without those that had ended by an instant, where one is named.
    package func tokens(since instant: Instant? = nil) async throws(AdminError) -> TokenList {
        let query = instant.map { [(name: "since", value: $0.rfc3339)] } ?? []
        return try await call(Endpoints.listTokens, query)
    }

    package func releases(
        of app: AppSlug,
        on platform: Platform? = nil,
        at moment: DocumentMoment = .live
    ) async throws(AdminError) -> ReleaseList {
        let platforms = platform.map { [(name: "platform", value: $0.rawValue)] } ?? []
        return try await call(Endpoints.listReleases, app, platforms + moment.query)
    }

    /// What every known release shows in a state, and in another.
    package func matrix(
        of app: AppSlug,
        on platform: Platform,
        from: StateName,
        to: StateName?
    ) async throws(AdminError) -> MatrixAnswer {
        var query = [(name: "platform", value: platform.rawValue), ("from", from.text)]
        if let to { query.append(("to", to.text)) }
        return try await call(Endpoints.simulateReleases, app, query)
    }

    /// What one device shows in a state, and in another.
    package func simulation(
        of device: Device,
        by generation: ClientGeneration? = nil,
        in app: AppSlug,
        from: StateName,
        to: StateName?
    ) async throws(AdminError) -> SimulationAnswer {
        var query = [
            (name: "platform", value: device.platform.rawValue),
            ("os", device.os.description), ("app", device.app.description),
            ("language", device.languages.map(\.text).joined(separator: ",")),
        ]
        if let store = device.store { query.append(("store", store.description)) }
        if let generation { query.append(("client", generation.name)) }
        query.append(("from", from.text))
        if let to { query.append(("to", to.text)) }
        return try await call(Endpoints.simulate, app, query)
    }
}

/// What an app has of its own, or all apps have where none is named.
extension AdminClient {
    package func policy(
        of app: AppSlug?,
        at moment: DocumentMoment = .live
    ) async throws(AdminError) -> PolicyAnswer {
        guard let app else { return try await call(Endpoints.getDefaultPolicy, moment.query) }
        return try await call(Endpoints.getPolicy, app, moment.query)
    }

    /// Puts a policy into force in the place of the one that was seen.
    package func change(
        policyOf app: AppSlug?,
        seen: Position,
        _ form: PolicyForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> PolicyAnswer {
        guard let app else {
            let names = NoNames()
            return try await call(Endpoints.changeDefaultPolicy, names, seen: seen, form, write)
        }
        return try await call(Endpoints.changePolicy, app, seen: seen, form, write)
    }
}
