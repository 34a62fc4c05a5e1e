import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// Every app and platform: what is live, since when and by whom, and what waits.
enum OverviewScreen {
    static let routes: [Route] = [.page("/", page)]

    /// So many apps are shown at a time: each is put together from some two dozen answers, which take
    /// their time, and of which a reader has so many a minute.
    static let appsMaximum = 20

    static func page(_ visit: Visit) async throws -> Page {
        let (apps, names) = (
            try await visit.rest.call(Endpoints.listApps).apps, try await visit.names()
        )
        // Nothing else on the page is worth less without it.
        let text = (try? await visit.rest.metrics()) ?? ""
        let measurements = Measurements(text, of: Measurements.servedSequence)
        let asked = apps.map(\.slug).first { $0.text == visit.query["app"] }
        let behind = visit.query["cursor"].flatMap(AppSlug.init)
        let wanted = apps.filter { app in
            asked.map { $0 == app.slug } ?? behind.map { $0 < app.slug } ?? true
        }
        let part = wanted.prefix(appsMaximum)
        var shown: [Fields] = []
        for app in part {
            let served = measurements.served(of: app.slug)
            shown.append(try await visit.overview(of: app, served, names))
        }
        return Page(
            "overview",
            visit.language["overview.title"],
            [
                "apps": shown, "isEmpty": apps.isEmpty,
                "isFiltered": apps.count > appsMaximum || asked != nil,
                "choices": apps.map { app in
                    [
                        "slug": app.slug.text, "name": app.settings.name.text,
                        "isChosen": app.slug == asked,
                    ]
                },
                "more": part.count < wanted.count ? part.last?.slug.text : nil,
            ]
        )
    }
}

extension Visit {
    fileprivate func overview(
        of app: AppAnswer,
        _ served: SnapshotSequence?,
        _ names: Names
    ) async throws -> Fields {
        var platforms: [Fields] = []
        for platform in app.settings.platforms {
            platforms.append(try await overview(of: app.slug, on: platform, names))
        }
        let open = try await rest.changes(of: app.slug, in: ChangeState.allCases.filter(\.isOpen))
        let held = try await rest.changes(of: app.slug, in: [.approved, .suspended])
        let needed = try await rest.changes(of: app.slug, needingMe: true)
        let snapshot = try await newestSnapshot(of: app.slug)
        let reviews = try await rest.reviews(of: app.slug)
        let overdue = try await rest.reviews(of: app.slug, overdue: true, PageOptions(limit: 1))
        return Fields(all: [
            "slug": app.slug.text, "name": app.settings.name.text, "platforms": platforms,
            "may": offers.fields(in: .app(app.slug)),
            "freeze": app.freeze.map { fields(of: $0, names) },
            "open": language("overview.open", of: open.changes, next: open.next),
            "needed": count(needed.changes, next: needed.next),
            "isNeeded": !needed.changes.isEmpty,
            "reviews": language("overview.reviews", of: reviews.reviews, next: reviews.next),
            "hasReviews": !reviews.reviews.isEmpty, "isOverdue": !overdue.reviews.isEmpty,
            "held": held.changes.map { change in
                row(of: change, names).merging(standstill(of: change, in: app, names)) { $1 }
            },
            "isHeld": !held.changes.isEmpty, "isMoreHeld": held.next != nil,
            "next": try await nextAppointment(of: app.slug),
            "publication": await publication(of: app.slug, snapshot, served),
        ])
    }

    /// However many there are: a list is in the order in which they were proposed.
    func allChanges(
        of app: AppSlug,
        in state: ChangeState
    ) async throws -> [ChangeSummary] {
        var changes: [ChangeSummary] = []
        var cursor: String?
        repeat {
            let page = PageOptions(limit: Endpoints.listChanges.facts.limitMaximum, after: cursor)
            let part = try await rest.changes(of: app, in: [state], page)
            changes += part.changes
            cursor = part.next
        } while cursor != nil
        return changes
    }

    /// The last that was published; `nil` before the first was.
    func newestSnapshot(of app: AppSlug) async throws -> PublishedSnapshot? {
        try await rest.call(
            Endpoints.listSnapshots,
            [("app", app.text), ("limit", "1")]
        ).snapshots.first
    }

    private func overview(
        of app: AppSlug,
        on platform: Platform,
        _ names: Names
    ) async throws -> Fields {
        let blame = try await rest.call(Endpoints.blameDocument, AppPlatform(app, platform))
        let lines = Dictionary(blame.lines.map { ($0.field, $0) }) { first, _ in first }
        var strips: [Field: Fields] = [:]
        for name in platform.thresholds {
            let field = Field(platform, name, .value)
            let newest = PageOptions(limit: ThresholdStrip.writesMaximum)
            let history = try await rest.history(of: field, in: app, newest)
            let isWhole = history.next == nil
            strips[field] = ThresholdStrip(history.writes, isWhole: isWhole, until: now)
                .fields(self)
        }
        return Fields(all: [
            "platform": platform.rawValue, "name": platform.name,
            "hasThresholds": !platform.thresholds.isEmpty,
            "thresholds": platform.thresholds.map { name in
                let field = Field(platform, name, .value)
                let line = lines[field]
                return Fields(all: [
                    "name": language["threshold.\(name.rawValue)"], "path": field.path,
                    "strip": strips[field], "isSet": line != nil,
                    "value": line?.value.description, "since": time(line?.since),
                    "by": line.map { names($0.origin.author) },
                    "isEmergency": line?.origin.kind == .emergency,
                    "isRollback": line?.origin.kind == .rollback,
                ])
            },
        ])
    }

    func fields(of freeze: FreezeAnswer, _ names: Names) -> Fields {
        Fields(all: [
            "by": names(freeze.by), "since": time(freeze.since), "reason": freeze.reason?.text,
            "until": time(freeze.until), "isOfAll": freeze.app == nil,
            "mayEnd": offers.mayFreeze(in: freeze.app.map(Scope.app) ?? .all),
        ])
    }

    private func nextAppointment(of app: AppSlug) async throws -> Fields? {
        let waiting = try await allChanges(of: app, in: .scheduled).compactMap { change in
            change.schedule?.at.map { (change, $0) }
        }
        return waiting.min { $0.1 < $1.1 }.map { change, instant in
            ["id": change.id.description, "title": change.title.text, "at": time(instant)]
        }
    }

    private func publication(
        of app: AppSlug,
        _ snapshot: PublishedSnapshot?,
        _ served: SnapshotSequence?
    ) async -> Fields? {
        guard let snapshot else { return nil }
        let published = StateName.snapshot(snapshot.record.sequence)
        // Nothing else on the page is worth less without it.
        let diff = try? await rest.diff(of: app, from: published, to: .live)
        let publishedAt: Fields = time(snapshot.publishedAt)
        return Fields(all: [
            "sequence": snapshot.record.sequence.description,
            "at": publishedAt, "keys": snapshot.record.keys.map(\.text),
            "event": snapshot.record.position.description,
            "isCurrent": diff?.changes.isEmpty ?? true,
            "served": served?.description,
            "isServed": served.map { snapshot.record.sequence <= $0 },
        ])
    }
}

extension Language {
    /// The text for as many as there are, as far as the first part of a list says it.
    fileprivate func callAsFunction(_ key: String, of shown: [some Any], next: String?) -> String {
        guard next != nil else { return self(key, count: shown.count) }
        return self("\(key).other", ["count": count(shown, next: next)])
    }
}

/// How many there are, as far as the first part of a list says it.
private func count(_ shown: [some Any], next: String?) -> String {
    "\(shown.count)\(next == nil ? "" : "+")"
}
