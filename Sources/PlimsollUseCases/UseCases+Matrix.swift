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
        let before = try await state(from, of: app, world)
        var after = before
        if let to { after = try await state(to, of: app, world) }
        return MatrixView(
            app: slug,
            from: DiffView.Side(name: from, position: before.position),
            to: to.map { DiffView.Side(name: $0, position: after.position) },
            matrix: DeviceMatrix(
                from: before.document(platform),
                to: after.document(platform),
                releases: app.releases.releases(on: platform),
                at: clock(),
                language: app.settings.fallbackLanguage
            )
        )
    }
}
