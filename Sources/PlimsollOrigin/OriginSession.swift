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
    private struct State {
        var followed = FollowedSnapshots()
        /// How many have to begin to fetch.
        var beginners = 0
        var mark: String?
        /// Over this connection.
        var hasHeard = false
        /// Over any.
        var hasEverHeard = false
        /// With which keys was refused what was refused.
        var trust = 0
        var missing: MissingApps
        /// What could not be fetched, of which the log was told.
        var unfetched: [AppSlug: SnapshotNotice] = [:]
    }

    private let origin: WebOrigin
    private let loader: SnapshotLoader
    private let followers: FollowingEdges
    private let id: EdgeID
    private let logger: Logger
    private let pace: OriginPace
    private let connected: Gauge
    private let state: Mutex<State>

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
        state = Mutex(State(missing: MissingApps(of: loader)))
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
        // However much comes at once, somebody has to be woken once.
        let (wakes, wake) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let fetch = OriginFetch(address: origin.address, transport: transport, loader: loader)
        // What comes along is kept of trusted apps alone, so they are known before anything comes.
        await retry()
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask(name: "news") { [self] in
                defer { wake.finish() }
                try await listen(mode, transport) { wake.yield() }
            }
            group.addTask(name: "retries") { [self] in
                repeat {
                    wake.yield()
                    let hasApps = await !loader.trustedApps.isEmpty
                    let pause = OriginRounds.pause(pace.retry, hasApps: hasApps)
                    try? await Task.sleep(for: pause)
                    await retry()
                } while !Task.isCancelled
            }
            group.addTask(name: "reports") { [self] in await report(transport) }
            for await _ in wakes {
                for _ in 0..<beginners() {
                    group.addTask(name: "fetch") { [self] in await work(fetch) }
                }
            }
            group.cancelAll()
        }
    }

    private func beginners() -> Int {
        state.withLock { state in
            defer { state.beginners = 0 }
            return state.beginners
        }
    }

    private func retry() async {
        await loader.tidyUp()
        let (apps, trust) = await (loader.trustedApps, loader.trustCount)
        let unserved = await loader.unservedApps
        state.withLock { state in
            if state.trust != trust { state.followed.forgetRefusals() }
            state.trust = trust
            state.beginners += state.followed.retry(trusting: Set(apps))
            guard state.hasHeard else { return }
            state.missing.note(state.followed.untold.intersection(unserved), to: logger)
        }
    }

    private func listen(
        _ mode: NewsMode,
        _ transport: Transport,
        _ wake: @Sendable () -> Void
    ) async throws {
        let subscription = OriginSubscription(
            address: origin.address,
            transport: transport,
            pace: pace
        )
        switch mode {
        case .streaming:
            let mark = state.withLock(\.mark)
            try await subscription.stream(after: mark) { hear($0, wake) }
        case .polling:
            var tag: String?
            for _ in 1...Self.polls {
                let known = tag
                let start = ContinuousClock.now
                tag = try await subscription.poll(after: known) { hear($0, wake) }
                // Not everything that answers also waits.
                if tag == known, start.duration(to: .now) < .seconds(1) {
                    try await Task.sleep(for: pace.retry)
                }
            }
        }
    }

    private func hear(_ news: News, _ wake: () -> Void) {
        let isFirst = state.withLock { state in
            defer { (state.hasHeard, state.hasEverHeard) = (true, true) }
            return !state.hasHeard
        }
        if isFirst { show(isConnected: true) }
        switch news {
        case .notice(let told, let mark):
            let isTrusted = state.withLock { $0.followed.isTrusted(told.notice.app) }
            let files = isTrusted ? told.files() : [:]
            state.withLock { state in
                state.beginners += state.followed.tell(told.notice, bringing: files)
                if let mark { state.mark = mark }
            }
            wake()
        case .unreadable(let reason):
            logger.warning("a notice cannot be read", metadata: ["error.reason": "\(reason)"])
        case .signOfLife: break
        }
    }

    // MARK: Fetching

    private func work(_ fetch: OriginFetch) async {
        while let notice = state.withLock({ $0.followed.next() }) {
            let outcome = await attempt(notice, fetch)
            state.withLock { $0.followed.finish(notice, outcome) }
        }
    }

    private func attempt(_ notice: SnapshotNotice, _ fetch: OriginFetch) async -> FetchOutcome {
        for attempt in 1...Self.attempts {
            do {
                let known = state.withLock { $0.followed.files(of: notice) }
                let outcome = try await fetch.take(notice, knowing: known)
                state.withLock { $0.unfetched[notice.app] = nil }
                return outcome
            } catch {
                let isNewest = state.withLock { $0.followed.isNewest(notice) }
                guard !Task.isCancelled, isNewest else { return .failed }
                if attempt == Self.attempts {
                    tell(of: notice, error)
                    return .failed
                }
            }
            try? await Task.sleep(for: Self.attemptPause)
        }
        return .failed
    }

    /// Once of each snapshot, which is asked for again every few seconds.
    private func tell(of notice: SnapshotNotice, _ error: any Error) {
        let isTold = state.withLock { state in
            state.unfetched.updateValue(notice, forKey: notice.app) == notice
        }
        guard !isTold else { return }
        logger.warning(
            "snapshot not fetched",
            metadata: ["app.slug": "\(notice.app)", "error.reason": "\(error)"]
        )
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
            let request = WebRequest(
                .put,
                url,
                body: JSONValue.object(report.json).canonicalBytes()
            )
            // An origin that takes none says so each time; it is no fault.
            if (try? await transport.send(request)) != nil { (told, age) = (report, 0) }
        } while (try? await Task.sleep(for: pace.report)) != nil
    }
}

extension AdminError {
    fileprivate var isTimeout: Bool {
        if case .timedOut = kind { true } else { false }
    }
}
