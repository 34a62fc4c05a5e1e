import PlimsollDocuments
import PlimsollDomain
import PlimsollPublishing
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
import Testing

/// Three roads to one past: the fold of the log, the read model, and what was published.
@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct PastTests {
    /// What was on disk after an append.
    private struct Published {
        let position: Position
        let documents: [Document]
        let offers: [Platform: [Offer]]
    }

    // Goal: whatever was done, the documents at event N by time travel are those folded from the
    // events 1 to N and those published at N, and each field is blamed on the last event that
    // touched it. Method: random changes and rollbacks, until five at least changed something, each
    // published by the real exporter; then the read models are made from the log, in runs that cut
    // appends in two.
    @Test(arguments: SeededGenerator.seeds)
    func `what was at an event is its fold, and what was published at it`(
        _ seed: UInt64
    ) async throws {
        var published: [Published] = []
        try await withScratchFolder { folder in
            try await RealService.with(in: folder) { service in
                try await service.register()
                var (worlds, generator) = ([service.writer.logState], SeededGenerator(seed: seed))
                published.append(try await publication(of: service))
                var number = 0
                while number < 8 || Set(published.map(\.position)).count < 5 {
                    number += 1
                    try await act(number, service, worlds, &generator)
                    worlds.append(service.writer.logState)
                    published.append(try await publication(of: service))
                }
            }
        }
        try await expect(published)
    }

    private func act(
        _ number: Int,
        _ service: RealService,
        _ worlds: [LogState],
        _ generator: inout SeededGenerator
    ) async throws {
        do {
            guard number.isMultiple(of: 4), let logState = worlds.randomElement(using: &generator),
                let app = logState.app(harbour)
            else { return try await service.apply(generator.edits(numbered: number)) }
            try await service.perform(
                RollBack(
                    app: harbour,
                    platforms: nil,
                    request: .event(logState.position),
                    past: PastState(position: logState.position, documents: app.documents),
                    reason: Reason(validating: "Back"),
                    by: .system
                )
            )
        } catch WriteError.refused(let refusal) {
            // By chance, it would change nothing, or leave nothing.
            let harmless = [.nothingChanges] + Platform.allCases.map(Objection.documentEmptied)
            #expect(refusal.objections.allSatisfy(harmless.contains))
        }
    }

    private func publication(of service: RealService) async throws -> Published {
        let snapshot = try await service.served()
        return Published(
            position: snapshot.manifest.manifest.issue.position,
            documents: try snapshot.files.compactMap { file in
                try Platform.allCases.first {
                    AvailabilityDocument.fileName(for: $0) == file.description.name
                }.map { try AvailabilityDocument(parsing: file.body, platform: $0).document }
            },
            offers: try snapshot.files.first {
                $0.description.name == PrinceOfVersionsDocument.fileName
            }
            .map { try PrinceOfVersionsDocument(parsing: $0.body).offers } ?? [:]
        )
    }

    private func expect(_ published: [Published]) async throws {
        let pool = SessionPool(try ScratchDatabase.current.connection, settings: .service)
        let log = EventLog(pool)
        _ = try await Rebuild(log: log, pool: pool, runLength: 7).run()
        let history = ReadModels(log: log, database: pool, progress: Progress()).history
        let events = try await log.events(after: .start)
        for publication in published {
            let (logState, touched) = fold(events, upTo: publication.position)
            let found = try await history.state(of: harbour, after: publication.position)
            let past = try #require(found)
            for document in publication.documents {
                var told = past.document(document.platform)
                #expect(logState.app(harbour)?.document(document.platform) == told)
                // Those that are derived are nobody's own.
                if !told.offers.isEmpty {
                    #expect(publication.offers[document.platform] == told.offers)
                }
                told.offers = []
                #expect(told == document)
            }
            let fields = try await history.fields(of: harbour, after: publication.position)
            #expect(fields.reached == events.last?.position)
            for field in fields.fields { #expect(touched[field.field] == field.since) }
            let told = fields.fields.filter { $0.field.threshold != nil }
            #expect(told.count == publication.documents.flatMap(\.fields).count)
        }
        await pool.close()
    }

    /// The state after an event, and which event touched each field last.
    private func fold(
        _ events: [RecordedEvent],
        upTo position: Position
    ) -> (LogState, touched: [Field: Position]) {
        var (logState, touched) = (LogState(), [Field: Position]())
        for recorded in events where recorded.position <= position {
            if case .app(let event) = recorded.event, let edit = event.operation,
                let document = logState.app(harbour)?.document(edit.platform)
            {
                for change in document.changes(by: edit) {
                    touched[change.field] = recorded.position
                }
            }
            logState.evolve(recorded)
        }
        return (logState, touched)
    }
}
