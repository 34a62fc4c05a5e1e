package import PlimsollAPI
package import PlimsollDomain
import PlimsollStore

extension UseCases {
    /// The releases of an app that are known, now or then, on all platforms or on some; asks for a
    /// viewer.
    package func releases(
        of slug: AppSlug,
        on platforms: [Platform] = [],
        at moment: DocumentMoment = .live,
        for caller: Caller
    ) async throws(UseCaseError) -> ReleaseList {
        let logState = try logState()
        let app = try visibleApp(slug, caller, logState)
        var (position, book) = (logState.position, app.releases)
        if moment != .live {
            position = try await resolve(moment, of: slug, logState)
            book = try await releases(of: slug, at: position)
        }
        let releases = book.all.filter { platforms.isEmpty || platforms.contains($0.platform) }
        return ReleaseList(app: slug, position: position, releases: releases)
    }

    /// Makes known that a version exists; asks for a proposer or an administrator.
    ///
    /// To say again what is known already is done at once, so that a job may be run twice; answers
    /// what is known.
    package func registerRelease(
        _ form: ReleaseForm,
        at place: AppRelease,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> Release {
        let release = Release(
            platform: place.platform,
            version: place.version,
            facts: form.facts
        )
        let command = RegisterRelease(
            release,
            of: place.app,
            reason: form.reason,
            by: request.caller.principal
        )
        return try await performIfNews(command, request) == nil
            ? try knownRelease(at: place) : release
    }

    /// Mends what is known of a release; asks for a proposer or an administrator.
    package func amendRelease(
        _ form: ReleaseAmendmentForm,
        at place: AppRelease,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> Release {
        let command = AmendRelease(
            place.version,
            on: place.platform,
            of: place.app,
            edits: form.edits,
            reason: form.reason,
            by: request.caller.principal
        )
        guard let receipt = try await performIfNews(command, request) else {
            return try knownRelease(at: place)
        }
        for case .app(.releaseAmended(let release)) in receipt.events.map(\.event) {
            return release
        }
        throw .unexpected("an amended release has no event of its own")
    }

    private func knownRelease(at place: AppRelease) throws(UseCaseError) -> Release {
        let releases = try logState().app(place.app)?.releases
        guard let known = releases?.release(place.version, on: place.platform) else {
            throw UseCaseError(.releaseUnknown(place.app, place.platform, place.version))
        }
        return known
    }

    /// The releases as the events up to a position leave them.
    func releases(
        of app: AppSlug,
        at position: Position
    ) async throws(UseCaseError) -> ReleaseCatalog {
        try await releasesTold(of: app, at: position).known
    }

    /// The same with which of them phones were told of, which freezes have a say in.
    func releasesTold(
        of app: AppSlug,
        at position: Position
    ) async throws(UseCaseError) -> ReleasesTold {
        var releases = ReleasesTold()
        let types: [EventType] = [.releaseRegistered, .releaseAmended, .releaseWithdrawn]
        for recorded in try await freezeEvents(over: app, and: types, upTo: position) {
            releases.evolve(recorded)
        }
        return releases
    }

    /// What freezes an app and everything, and what else of the app is asked for, oldest first.
    func freezeEvents(
        over app: AppSlug,
        and others: [EventType] = [],
        upTo position: Position
    ) async throws(UseCaseError) -> [RecordedEvent] {
        var query = EventQuery()
        query.types = EventType.freezesOfEverything
        var events = try await events(query, upTo: position)
        (query.apps, query.types) = ([app], EventType.freezesOfApp + others)
        events += try await self.events(query, upTo: position)
        return events.sorted { $0.position < $1.position }
    }

    func events(
        _ query: EventQuery,
        upTo position: Position
    ) async throws(UseCaseError) -> [RecordedEvent] {
        try await events(query, upTo: position, into: []) { $0.append($1) }
    }

    /// Folds all that a question finds, oldest first, however many there are.
    func events<Value>(
        _ query: EventQuery,
        upTo position: Position,
        into initial: Value,
        _ take: (inout Value, RecordedEvent) -> Void
    ) async throws(UseCaseError) -> Value {
        var (query, value) = (query, initial)
        (query.end, query.order) = (position, .oldestFirst)
        query.limit = EventQuery.limitMaximum
        while true {
            let question = query
            let page = try await read {
                try await readModels.recorded(question, upTo: position)
            }
            for recorded in page { take(&value, recorded) }
            guard page.count == query.limit, let last = page.last else { return value }
            query.after = last.position
        }
    }
}

extension UseCases {
    /// The last count of an app's devices on a platform; asks for a viewer.
    package func versionShares(
        of slug: AppSlug,
        on platform: Platform,
        for caller: Caller
    ) throws(UseCaseError) -> VersionShares {
        let app = try visibleApp(slug, with: platform, caller, try logState())
        return app.shares[platform] ?? VersionShares(rows: [])
    }
}
