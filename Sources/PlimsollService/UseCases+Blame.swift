package import PlimsollDomain
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
        let (events, causes) = try await origins(of: standing.map(\.since), upTo: position)
        return BlameView(
            app: slug,
            platform: platform,
            position: position,
            lines: standing.compactMap { field in
                events[field.since].map { event in
                    BlameView.Line(
                        field: field.field,
                        value: field.value,
                        event: event.recorded,
                        cause: event.change.flatMap { causes[$0] }
                    )
                }
            }
        )
    }

    /// Every event that wrote a field, newest first, as it is known or was known at a moment.
    package func history(
        _ query: FieldHistoryQuery,
        at moment: Moment = .live,
        for caller: Caller
    ) async throws(UseCaseError) -> Page<FieldWriteView, Position> {
        let world = try world()
        let app = try visibleApp(query.app, with: query.field.platform, caller, world)
        let end = try await resolve(moment, of: app.slug, world)
        let limit = min(max(query.limit, 1), FieldHistoryQuery.limitMaximum)
        let last = min(query.after?.before ?? end, end)
        let found = try await read {
            try await readModels.writes(of: query.field, in: app.slug, upTo: last, limit + 1)
        }
        let shown = found.prefix(limit)
        let (events, causes) = try await origins(of: shown.map(\.position), upTo: end)
        let writes = shown.compactMap { write in
            events[write.position].map { event in
                FieldWriteView(
                    change: write.change,
                    event: event.recorded,
                    cause: event.change.flatMap { causes[$0] }
                )
            }
        }
        return Page(elements: writes, next: found.count > limit ? shown.last?.position : nil)
    }

    /// The last position of the append that a moment names, where the app existed then.
    func resolve(
        _ moment: Moment,
        of app: AppSlug,
        _ world: World
    ) async throws(UseCaseError) -> Position {
        guard moment != .live else { return world.position }
        let position = try await resolve(moment, world)
        let existed = try await read { try await readModels.history.has(app, at: position) }
        guard existed else { throw UseCaseError(.targetBeforeApp(app)) }
        return position
    }

    /// The last position of the append that a moment names.
    func resolve(_ moment: Moment, _ world: World) async throws(UseCaseError) -> Position {
        let history = readModels.history
        switch moment {
        case .live: return world.position
        case .event(let position):
            guard position <= world.position else {
                throw UseCaseError(.targetAhead(position, head: world.position))
            }
            return try await read { try await history.position(endingAppendOf: position) }
        case .time(let instant):
            try requirePassed(instant)
            return try await read { try await history.position(recordedBy: instant) }
        }
    }

    /// Events at some positions, and the changes behind them.
    func origins(
        of positions: [Position],
        upTo end: Position
    ) async throws(UseCaseError) -> (
        events: [Position: AuditedEvent], causes: [ChangeID: BlameView.Cause]
    ) {
        let events = try await read {
            try await readModels.events(at: Set(positions).sorted())
        }
        let world = try world()
        let changes = Set(events.compactMap(\.change)).sorted()
        let decisions = try await read {
            try await readModels.decisions(on: changes, upTo: end)
        }
        return (
            Dictionary(uniqueKeysWithValues: events.map { ($0.position, $0) }),
            Dictionary(grouping: decisions, by: \.stream).reduce(into: [:]) { causes, group in
                guard case .change(let id) = group.key else { return }
                let lapsed = world.lapsedApprovals(of: id)
                causes[id] = BlameView.Cause(id: id, group.value, lapsed: lapsed)
            }
        )
    }
}
