package import PlimsollDomain

extension UseCases {
    /// What every release that is known shows in a state of a document, and in another; asks for a
    /// viewer.
    package func matrix(
        of slug: AppSlug,
        on platform: Platform,
        from: StateName,
        to: StateName?,
        for caller: Caller
    ) async throws(UseCaseError) -> MatrixView {
        let world = try world()
        let app = try visibleApp(slug, with: platform, caller, world)
        let before = try await document(in: from, of: app, on: platform, world)
        var after = before
        if let to { after = try await document(in: to, of: app, on: platform, world) }
        return MatrixView(
            app: slug,
            from: before.side,
            to: to.map { _ in after.side },
            matrix: DeviceMatrix(
                from: before.document,
                to: after.document,
                releases: app.releases.releases(on: platform),
                at: clock(),
                language: app.settings.fallbackLanguage
            )
        )
    }

    /// What one device shows in a state of a document, and in another; asks for a viewer.
    package func simulation(
        of device: Device,
        in slug: AppSlug,
        from: StateName,
        to: StateName?,
        for caller: Caller
    ) async throws(UseCaseError) -> SimulationView {
        let world = try world()
        let app = try visibleApp(slug, with: device.platform, caller, world)
        let before = try await document(in: from, of: app, on: device.platform, world)
        var after = before
        if let to { after = try await document(in: to, of: app, on: device.platform, world) }
        return SimulationView(
            app: slug,
            from: before.side,
            to: to.map { _ in after.side },
            before: before.document.decision(on: device),
            after: after.document.decision(on: device)
        )
    }

    /// What a device would show if edits were made on what is live.
    ///
    /// Edits of another platform's document are none of its business, but they have to be such as
    /// may be proposed.
    package func simulation(
        of device: Device,
        in slug: AppSlug,
        applying operations: [Operation],
        for caller: Caller
    ) async throws(UseCaseError) -> SimulationView {
        let world = try world()
        let app = try visibleApp(slug, with: device.platform, caller, world)
        let objections = operations.isEmpty ? [] : app.objections(toTrying: operations)
        guard objections.isEmpty else { throw UseCaseError.refused(Refusal(objections)) }
        let live = try await document(in: .live, of: app, on: device.platform, world)
        var after = live.document
        for operation in operations where operation.platform == device.platform {
            after.apply(operation)
        }
        return SimulationView(
            app: slug,
            from: live.side,
            to: nil,
            before: live.document.decision(on: device),
            after: after.decision(on: device)
        )
    }

    /// A document in a state.
    private func document(
        in name: StateName,
        of app: App,
        on platform: Platform,
        _ world: World
    ) async throws(UseCaseError) -> (side: DiffView.Side, document: Document) {
        let state = try await state(name, of: app, world)
        return (DiffView.Side(name: name, position: state.position), state.document(platform))
    }
}
