package import PlimsollAPI
package import PlimsollDomain
package import PlimsollMarketplace
import PlimsollStore

extension UseCases {
    /// What a device would be told of an app of a marketplace, in a state of the app; asks for a viewer
    /// of both.
    ///
    /// At an earlier moment everything is as it was known then; under a change that is open and after a
    /// rollback only what is offered is other.
    package func explanation(
        of item: AppleItemID,
        in slug: AppSlug,
        installed: AppleVersionID?,
        on device: InstallingDevice,
        in name: StateName,
        for caller: Caller
    ) async throws(UseCaseError) -> ExplanationAnswer {
        let logState = try logState()
        let host = try visibleApp(slug, caller, logState)
        let listed = try logState.app(listedAs: item, in: slug).map { (app) throws(UseCaseError) in
            try visibleApp(app, caller, logState)
        }
        let state = try await state(name, of: listed ?? host, logState)
        let isEarlier = !name.isOfNow && state.position < logState.position
        let end = isEarlier ? state.position : nil
        let marketplace = try await distribution(of: host, upTo: end).marketplace
        guard let marketplace else { throw UseCaseError(.marketplaceUnknown(slug)) }
        var distribution = Distribution()
        if let listed { distribution = try await self.distribution(of: listed, upTo: end) }
        return ExplanationAnswer(
            marketplace: slug,
            app: listed?.slug,
            state: name,
            position: state.position,
            explanation: Explanation(
                of: item,
                installed: installed,
                on: device,
                in: marketplace,
                listedAs: distribution.listings[slug],
                knowing: distribution.packages,
                offering: listed == nil ? [] : state.document(.ios).packages
            )
        )
    }

    /// As it is, or as it was after an append.
    private func distribution(
        of app: App,
        upTo end: Position?
    ) async throws(UseCaseError) -> Distribution {
        guard let end else { return app.distribution }
        var query = EventQuery()
        (query.apps, query.types) = ([app.slug], EventType.ofDistribution)
        return try await events(query, upTo: end).reduce(into: Distribution()) {
            distribution,
            event in
            distribution.evolve(event)
        }
    }
}
