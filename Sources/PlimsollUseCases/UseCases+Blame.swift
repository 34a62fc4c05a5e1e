package import PlimsollDomain
import PlimsollProjection
import PlimsollStore

extension UseCases {
    /// Who put what stands in each field of a document, as it is or as it was.
    package func blame(
        of slug: AppSlug,
        on platform: Platform,
        at moment: Moment,
        for caller: Caller
    ) async throws(UseCaseError) -> BlameView {
        let world = try world()
        _ = try visibleApp(slug, with: platform, caller, world)
        let position = try await resolve(moment, of: slug, world)
        let standing = try await read {
            try await readModels.standingFields(of: slug, after: position)
                .filter { $0.field.platform == platform }
        }
        let events = try await read {
            try await readModels.events(at: Set(standing.map(\.since)).sorted())
        }
        let changes = try await causes(of: Set(events.compactMap(\.change)), upTo: position)
        let byPosition = Dictionary(uniqueKeysWithValues: events.map { ($0.position, $0) })
        return BlameView(
            app: slug,
            platform: platform,
            position: position,
            lines: standing.compactMap { field in
                byPosition[field.since].map { event in
                    BlameView.Line(
                        field: field.field,
                        value: field.value,
                        event: event.recorded,
                        cause: event.change.flatMap { changes[$0] }
                    )
                }
            }
        )
    }

    /// The last position of the append that a moment names, where the app existed then.
    func resolve(
        _ moment: Moment,
        of app: AppSlug,
        _ world: World
    ) async throws(UseCaseError) -> Position {
        switch moment {
        case .live: world.position
        case .event(let position): try await past(.event(position), of: app, world).position
        case .time(let instant): try await past(.time(instant), of: app, world).position
        }
    }

    /// Who proposed and approved changes, and why.
    private func causes(
        of changes: Set<ChangeID>,
        upTo position: Position
    ) async throws(UseCaseError) -> [ChangeID: BlameView.Cause] {
        guard !changes.isEmpty else { return [:] }
        var causes: [ChangeID: BlameView.Cause] = [:]
        for id in changes.sorted() {
            let history = try await read { try await readModels.log.history(of: .change(id)) }
            causes[id] = BlameView.Cause(id: id, history.filter { $0.position <= position })
        }
        return causes
    }
}
