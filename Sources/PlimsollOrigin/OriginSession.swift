import Logging
import Metrics
import PlimsollAPI
import PlimsollDomain
import PlimsollEdge
import PlimsollJSON
import PlimsollPublishing
import Synchronization

/// What an edge has been told by its origin, and goes on with over every connection anew.
final class OriginSession: Sendable {
    private enum Signal {
        case notice(SnapshotNotice)
        case retry
    }

    private struct State {
        var followed = FollowedSnapshots()
        var mark: String?
        var hasHeard = false
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
            try await Transport.with(limits, trusting: origin.authorities()) { transport in
                try await take(mode, transport)
            }
            return .ended
        } catch {
            return end(with: error)
        }
    }

    private var limits: Transport.Limits {
        Transport.Limits(
            connectTimeout: min(.seconds(5), pace.patience),
            answerTimeout: pace.patience,
            bytesMaximum: 16 << 20
        )
    }

    private func end(with error: any Error) -> FollowingEnd {
        switch error {
        // Whatever stands before an origin that is away answers with more than 499.
        case OriginFault.answered(400..<500, _): .untold
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
                try await listen(mode, transport) { inbox.yield(.notice($0)) }
            }
            group.addTask(name: "retries") { [pace] in
                while (try? await Task.sleep(for: pace.retry)) != nil {
                    inbox.yield(.retry)
                }
            }
            group.addTask(name: "reports") { [self] in await report(transport) }
            for await signal in signals {
                for app in begin(signal) {
                    group.addTask(name: "fetch") { [self] in await work(on: app, fetch) }
                }
            }
            group.cancelAll()
        }
    }

    private func begin(_ signal: Signal) -> [AppSlug] {
        state.withLock { state in
            switch signal {
            case .notice(let notice): state.followed.tell(notice) ? [notice.app] : []
            case .retry: state.followed.retry()
            }
        }
    }

    private func listen(
        _ mode: NewsMode,
        _ transport: Transport,
        _ tell: @Sendable (SnapshotNotice) -> Void
    ) async throws {
        let news = OriginNews(address: origin.address, transport: transport, pace: pace)
        switch mode {
        case .streaming:
            let mark = state.withLock(\.mark)
            try await news.stream(after: mark, heard: hear) { notice, mark in
                tell(notice)
                if let mark { state.withLock { $0.mark = mark } }
            }
        case .polling:
            var tag: String?
            for _ in 1...Self.polls {
                tag = try await news.poll(after: tag) { notice, _ in tell(notice) }
                hear()
            }
        }
    }

    private func hear() {
        let isFirst = state.withLock { state in
            defer { state.hasHeard = true }
            return !state.hasHeard
        }
        if isFirst { show(isConnected: true) }
    }

    // MARK: One app

    /// Fetches the newest until there is nothing newer.
    private func work(on app: AppSlug, _ fetch: OriginFetch) async {
        var tried: SnapshotNotice?
        while let notice = state.withLock({ $0.followed.next(of: app, after: tried) }) {
            tried = notice
            guard await loader.trustedApps.contains(app) else { continue }
            if await attempt(notice, fetch) { state.withLock { $0.followed.take(notice) } }
        }
    }

    /// Whether it is served; one that may not be served is tried once.
    private func attempt(_ notice: SnapshotNotice, _ fetch: OriginFetch) async -> Bool {
        for attempt in 1...Self.attempts {
            do {
                return try await fetch.take(notice)
            } catch {
                guard !Task.isCancelled else { return false }
                if attempt == Self.attempts {
                    logger.warning(
                        "snapshot not fetched",
                        metadata: ["app.slug": "\(notice.app)", "error.reason": "\(error)"]
                    )
                }
            }
            try? await Task.sleep(for: Self.attemptPause)
        }
        return false
    }

    // MARK: The tree

    private static let reportsUnchanged = 15

    /// Says how this edge and those below it do, when that changes and now and then.
    private func report(_ transport: Transport) async {
        var last: EdgeReport?
        var age = 0
        repeat {
            let report = await followers.summary(serving: loader.followed)
            age += 1
            guard report != last || age >= Self.reportsUnchanged else { continue }
            (last, age) = (report, 0)
            let url = origin.address.url("/origin/edges/\(id.text)")
            // An origin that does not hear it says so with every answer; it is no fault.
            _ = try? await transport.send(
                WebRequest(.put, url, body: report.json.canonicalBytes())
            )
        } while (try? await Task.sleep(for: pace.report)) != nil
    }
}

extension AdminError {
    fileprivate var isTimeout: Bool {
        if case .timedOut = kind { true } else { false }
    }
}
