import PlimsollAPI
import PlimsollDomain

/// What was done at once, and whether it has been published and phones get it.
enum ReceiptScreen {
    static let routes: [Route] = [.page("/apps/:app/receipt", page)]

    static func page(_ visit: Visit) async throws -> Page {
        let app = try visit.app
        let wanted = try visit.asked("sequence", Int64.init)
        _ = try visit.asked("event", Position.init(typed:))
        let snapshot = try await visit.newestSnapshot(of: app)
        let published = snapshot.flatMap { snapshot in
            snapshot.record.sequence.rawValue >= wanted ?? 0 ? snapshot : nil
        }
        let text = try await visit.rest.metrics()
        let served = Measurements(text, of: Measurements.servedSequence).served(of: app)
        let isServed = served.map { $0.rawValue >= wanted ?? 0 }
        let others = OtherEdges(try await visit.rest.call(Endpoints.getEdges), app, wanted ?? 0)
        let events = try await visit.ordered()
        let effect = events.isEmpty ? try await visit.effect(of: app) : nil
        let names = try await visit.names()
        let sentences = effect?.sentences ?? events.map { $0.sentence(visit.language, names) }
        return Page(
            "receipt",
            visit.language["receipt.title"],
            [
                "slug": app.text, "sequence": visit.query["sequence"],
                "event": visit.query["event"],
                "isWaiting": published == nil || isServed == false || others.isAwaited,
                "isPublished": published != nil, "isServed": isServed,
                "served": served.map { served in
                    let words = isServed == true ? "receipt.served" : "receipt.behind"
                    return visit.language(words, ["sequence": served.description])
                },
                "others": others.fields(visit.language),
                "publishedAt": published.map { visit.time($0.publishedAt) },
                "publishedAs": published?.record.sequence.description,
                "keys": published?.record.keys.map(\.text),
                "digest": published?.record.manifestDigest,
                "sentences": sentences, "isTold": !sentences.isEmpty,
                "before": visit.query["before"].flatMap(Position.init(typed:))?.description,
                "reason": effect?.reason ?? events.lazy.compactMap(\.origin.reason).first,
                "at": events.first.map { visit.time($0.recordedAt) },
            ]
        )
    }
}

/// What the edges that follow this instance say of a sequence of an app.
private struct OtherEdges {
    private let count: Int
    private let lagging: [EdgeReport.Lag]
    private let silent: [String]

    init(_ report: EdgeReport, _ app: AppSlug, _ wanted: Int64) {
        count = report.edges - 1
        lagging = report.lagging.filter { lag in
            lag.app == app && lag.sequence.map { $0.rawValue < wanted } ?? true
        }
        silent = report.silent
    }

    /// Whether one that is heard of lags; nobody waits for those that say nothing.
    var isAwaited: Bool {
        lagging.contains { lag in !lag.path.contains { silent.contains($0) } }
    }

    func fields(_ language: Language) -> Fields {
        let summary =
            count == 0
            ? language["receipt.alone"]
            : language(lagging.isEmpty ? "receipt.none" : "receipt.lag", count: count)
        return [
            "summary": summary, "isBehind": !lagging.isEmpty,
            "lagging": lagging.map { lag in
                Fields(all: [
                    "name": lag.path.joined(separator: " → "),
                    "sequence": lag.sequence?.description,
                ])
            },
            "isSilent": !silent.isEmpty, "silent": silent,
        ]
    }
}

extension Visit {
    /// The events of what was done, as far as the reader may know them.
    fileprivate func ordered() async throws -> [EventAnswer] {
        let position = query["event"].flatMap(Position.init(typed:))
        guard let position else { return [] }
        var filter = EventFilter()
        filter.apps = [try app]
        filter.since = .position(position)
        filter.order = .oldest
        do throws(AdminError) {
            let last = try await rest.events(filter, PageOptions(limit: 1)).events.first
            guard let last, last.position == position else { return [] }
            filter.since = nil
            filter.correlations = [last.origin.correlation]
            return try await allEvents(filter).filter { $0.command == last.command }
        } catch {
            // Whoever may act at night may not read the record.
            guard error.status == 403 else { throw error }
            return []
        }
    }

    /// However many there are.
    func allEvents(_ filter: EventFilter) async throws(AdminError) -> [EventAnswer] {
        var events: [EventAnswer] = []
        var cursor: String?
        repeat {
            let page = PageOptions(limit: Endpoints.listEvents.facts.limitMaximum, after: cursor)
            let part = try await rest.events(filter, page)
            events += part.events
            cursor = part.next
        } while cursor != nil
        return events
    }

    /// What is different since before and why, for those who may not read the record.
    fileprivate func effect(of app: AppSlug) async throws -> (sentences: [String], reason: String?)
    {
        let positions = ["before", "event"].compactMap { name in
            query[name].flatMap(Position.init(typed:))
        }
        guard positions.count == 2 else { return ([], nil) }
        let diff = try await rest.diff(
            of: app,
            from: .event(positions[0]),
            to: .event(positions[1])
        )
        guard let field = diff.changes.first?.field else { return ([], nil) }
        let writes = try await rest.history(of: field, in: app).writes
        let write = writes.first { positions[0] < $0.event && $0.event <= positions[1] }
        return (diff.changes.map { $0.sentence(language) }, write?.origin.reason)
    }

    /// Where to look whether phones are served what an emergency did.
    func receipt(of answer: EmergencyAnswer) async -> String {
        var before: Position?
        if let review = answer.review.position {
            // What was done is done, whether its review can be read or not.
            before = try? await rest.call(Endpoints.getReview, review).before
        }
        return receipt(of: answer.app, answer.sequence, answer.position, before: before)
    }

    /// The same of a rollback, which is ordered by the first of its events.
    func receipt(of answer: RollbackAnswer) -> String {
        let first = answer.sequence.flatMap { Position(rawValue: $0.rawValue) }
        return receipt(of: answer.app, answer.sequence, answer.position, before: first?.before)
    }

    private func receipt(
        of app: AppSlug,
        _ sequence: SnapshotSequence?,
        _ position: Position?,
        before: Position?
    ) -> String {
        let pairs = [
            ("sequence", sequence?.description), ("event", position?.description),
            ("before", before?.description),
        ].compactMap { name, value in value.map { (name: name, value: $0) } }
        return "/apps/\(app.text)/receipt?\(FormFields(pairs).encoded)"
    }
}
