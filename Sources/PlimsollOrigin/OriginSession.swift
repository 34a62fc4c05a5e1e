import Logging
import Metrics
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollEdge
import PlimsollJSON
import PlimsollPublishing
import Synchronization

/// What an edge has been told by its origin, and goes on with over every connection anew.
final class OriginSession: Sendable {
    private enum Signal {
        case news(SnapshotNews)
        case retry
    }

    fileprivate struct State {
        var followed = FollowedSnapshots()
        var mark: String?
        /// Over this connection, and ever.
        var (hasHeard, hasEverHeard) = (false, false)
        /// With which keys was refused what was refused.
        var trust = 0
        /// What is at hand and not served yet: it just came, or witnesses may only have to see it.
        var kept: [AppSlug: [ContentDigest: [UInt8]]] = [:]
    }

    private let origin: WebOrigin
    private let loader: SnapshotLoader
    private let followers: FollowingEdges
    private let id: EdgeID
    private let logger: Logger
    private let pace: OriginPace
    private let connected: Gauge
    private let state = Mutex(State())

    private static let attempts = 3
    private static let attemptPause = Duration.milliseconds(200)
    /// About as long as a streamed answer that is lost is missed.
    private static let polls = 60

    init(
        _ origin: WebOrigin,
        _ loader: SnapshotLoader,
        _ followers: FollowingEdges,
        _ id: EdgeID,
        _ pace: OriginPace,
        _ logger: Logger
    ) {
        (self.origin, self.loader, self.followers) = (origin, loader, followers)
        (self.id, self.pace, self.logger) = (id, pace, logger)
        connected = Gauge(
            label: "plimsoll.origin.connected",
            dimensions: [("origin", origin.address.text)]
        )
    }

    /// Whether it was told anything over the last connection, if only that there is nothing.
    var hasHeard: Bool { state.withLock(\.hasHeard) }

    func show(isConnected: Bool) { connected.record(isConnected ? 1 : 0) }

    /// Takes what is told until nothing is told any more.
    func follow(_ mode: NewsMode) async -> FollowingEnd {
        state.withLock { $0.hasHeard = false }
        do {
            try await Transport.with(pace.limits, trusting: origin.authorities()) { transport in
                try await take(mode, transport)
            }
            return .ended
        } catch {
            return end(with: error)
        }
    }

    private func end(with error: any Error) -> FollowingEnd {
        switch error {
        // What stands before an origin may answer anything while the origin is away.
        case OriginFault.answered(403...406, _), OriginFault.answered(410, _),
            OriginFault.answered(501, _):
            state.withLock(\.hasEverHeard) ? .lost(error) : .untold
        case OriginFault.lists: .silent
        case OriginFault.ended: .ended
        case let error as AdminError: error.isTimeout && !hasHeard ? .silent : .lost(error)
        default: .lost(error)
        }
    }

    private func take(_ mode: NewsMode, _ transport: Transport) async throws {
        let (signals, inbox) = AsyncStream.makeStream(of: Signal.self)
        let fetch = OriginFetch(address: origin.address, transport: transport, loader: loader)
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask(name: "news") { [self] in
                defer { inbox.finish() }
                try await listen(mode, transport) { inbox.yield(.news($0)) }
            }
            group.addTask(name: "retries") { [pace, loader] in
                repeat {
                    inbox.yield(.retry)
                    let hasApps = await !loader.trustedApps.isEmpty
                    let pause = OriginRounds.pause(pace.retry, hasApps: hasApps)
                    try? await Task.sleep(for: pause)
                } while !Task.isCancelled
            }
            group.addTask(name: "reports") { [self] in await report(transport) }
            for await signal in signals {
                for _ in 0..<(await beginners(signal)) {
                    group.addTask(name: "fetch") { [self] in await work(fetch) }
                }
            }
            group.cancelAll()
        }
    }

    /// How many have to begin to work.
    private func beginners(_ signal: Signal) async -> Int {
        switch signal {
        case .news(let news):
            return state.withLock { state in
                state.keep(news)
                return state.followed.tell(news.notice)
            }
        case .retry:
            let (apps, trust) = await (loader.trustedApps, loader.trustCount)
            return state.withLock { state in
                if state.trust != trust { state.followed.forgetRefusals() }
                state.trust = trust
                return state.followed.retry(trusting: Set(apps))
            }
        }
    }

    private func listen(
        _ mode: NewsMode,
        _ transport: Transport,
        _ tell: @Sendable (SnapshotNews) -> Void
    ) async throws {
        let news = OriginNews(address: origin.address, transport: transport, pace: pace)
        switch mode {
        case .streaming:
            let mark = state.withLock(\.mark)
            try await news.stream(after: mark) { hear($0, tell) }
        case .polling:
            var tag: String?
            for _ in 1...Self.polls {
                let known = tag
                let start = ContinuousClock.now
                tag = try await news.poll(after: known) { hear($0, tell) }
                // Not everything that answers also waits.
                if tag == known, start.duration(to: .now) < .seconds(1) {
                    try await Task.sleep(for: pace.retry)
                }
            }
        }
    }

    private func hear(_ news: News, _ tell: (SnapshotNews) -> Void) {
        let isFirst = state.withLock { state in
            defer { (state.hasHeard, state.hasEverHeard) = (true, true) }
            return !state.hasHeard
        }
        if isFirst { show(isConnected: true) }
        switch news {
        case .snapshot(let news, let mark):
            tell(news)
            if let mark { state.withLock { $0.mark = mark } }
        case .unreadable(let reason):
            logger.warning("a notice cannot be read", metadata: ["error.reason": "\(reason)"])
        case .signOfLife: break
        }
    }

    // MARK: Fetching

    private func work(_ fetch: OriginFetch) async {
        while let notice = state.withLock({ $0.followed.next() }) {
            let isServed = await attempt(notice, fetch)
            state.withLock { $0.followed.finish(notice, isServed: isServed) }
        }
    }

    /// Whether it is served; `nil` where it could not be had.
    private func attempt(_ notice: SnapshotNotice, _ fetch: OriginFetch) async -> Bool? {
        for attempt in 1...Self.attempts {
            do {
                let kept = state.withLock { $0.kept[notice.app] ?? [:] }
                let (isServed, fetched) = try await fetch.take(notice, knowing: kept)
                state.withLock { $0.keep(fetched, of: notice) }
                return isServed
            } catch {
                let isNewest = state.withLock { $0.followed.isNewest(notice) }
                guard !Task.isCancelled, isNewest else { return nil }
                if attempt == Self.attempts {
                    logger.warning(
                        "snapshot not fetched",
                        metadata: ["app.slug": "\(notice.app)", "error.reason": "\(error)"]
                    )
                    return nil
                }
            }
            try? await Task.sleep(for: Self.attemptPause)
        }
        return nil
    }

    // MARK: The tree

    private static let reportsUnchanged = 15

    /// Says how this edge and those below it do, when that changes and now and then.
    private func report(_ transport: Transport) async {
        var told: EdgeReport?
        var age = 0
        repeat {
            let report = await followers.summary(serving: loader.followed)
            age += 1
            guard report != told || age >= Self.reportsUnchanged else { continue }
            let url = origin.address.url("/origin/edges/\(id.text)")
            let request = WebRequest(.put, url, body: report.json.canonicalBytes())
            // An origin that takes none says so each time; it is no fault.
            if (try? await transport.send(request)) != nil { (told, age) = (report, 0) }
        } while (try? await Task.sleep(for: pace.report)) != nil
    }
}

extension OriginSession.State {
    fileprivate mutating func keep(_ news: SnapshotNews) {
        let notice = news.notice
        guard !news.files.isEmpty, followed.isTrusted(notice.app) else { return }
        let digests = notice.digests
        let known = kept[notice.app, default: [:]].filter { digests.contains($0.key) }
        kept[notice.app] = known.merging(news.files) { known, _ in known }
    }

    /// What a newer notice brought stays.
    fileprivate mutating func keep(_ files: [ContentDigest: [UInt8]], of notice: SnapshotNotice) {
        guard followed.isNewest(notice) else { return }
        kept[notice.app] = files.isEmpty ? nil : files
    }
}

extension AdminError {
    fileprivate var isTimeout: Bool {
        if case .timedOut = kind { true } else { false }
    }
}
