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
        let listing = try await app(listedAs: item, in: slug, name, logState)
        let listed = try listing.map { (app) throws(UseCaseError) in
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

    /// The app that a marketplace has under an AppleItemID, or had in a state of before.
    private func app(
        listedAs item: AppleItemID,
        in marketplace: AppSlug,
        _ name: StateName,
        _ logState: LogState
    ) async throws(UseCaseError) -> AppSlug? {
        guard let end = try await end(of: name, logState) else {
            return logState.app(listedAs: item, in: marketplace)
        }
        var query = EventQuery()
        query.types = [.appListed, .appUnlisted]
        var places: [AppSlug: Distribution] = [:]
        for recorded in try await events(query, upTo: end) {
            guard case .app(let app) = recorded.stream else { continue }
            places[app, default: Distribution()].evolve(recorded)
        }
        return places.first { $0.value.listings[marketplace]?.item == item }?.key
    }

    /// Where a state of before ends; `nil` where it is one of now.
    private func end(
        of name: StateName,
        _ logState: LogState
    ) async throws(UseCaseError) -> Position? {
        switch name {
        case .live, .rollback: return nil
        case .event(let position): return try await resolve(.event(position), logState)
        case .time(let instant): return try await resolve(.time(instant), logState)
        case .snapshot(let sequence):
            return Position(rawValue: sequence.rawValue).map { min($0, logState.position) }
        case .change(let id):
            let history = try await read { try await readModels.log.history(of: .change(id)) }
            let record = ChangeRecord(id: id, history: history)
            return record?.state == .applied ? record?.end : nil
        }
    }
}
