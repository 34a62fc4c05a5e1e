package import Logging
import Metrics
import PlimsollDomain
package import PlimsollEdge
package import PlimsollPublishing
import ServiceLifecycle
import Synchronization

/// Keeps an edge at what its origin serves, by being told.
///
/// The origin is another edge, or a service, at the listener that it has for edges. Where nothing
/// there tells, as with a cache or an edge of an earlier program, this looks every few seconds. An
/// origin that is away changes nothing: phones are served what was good last.
package struct OriginFollower: Service {
    private let origin: WebOrigin
    private let loader: SnapshotLoader
    private let followers: FollowingEdges
    private let id: EdgeID
    private let pace: OriginPace
    private let logger: Logger

    /// Takes who follows this edge in turn, of whom the origin hears.
    package init(
        _ origin: WebOrigin,
        _ loader: SnapshotLoader,
        followers: FollowingEdges,
        id: EdgeID,
        pace: OriginPace = OriginPace(),
        logger: Logger
    ) {
        (self.origin, self.loader, self.followers) = (origin, loader, followers)
        (self.id, self.pace, self.logger) = (id, pace, logger)
    }

    /// Follows until graceful shutdown.
    package func run() async throws {
        try await watchUntilShutdown { try await follow() }
    }

    private func follow() async throws {
        let session = OriginSession(origin, loader, followers, id, pace, logger)
        var rounds = OriginRounds(
            WebOrigin(origin.address, limits: pace.limits, trusting: origin.authorities),
            loader,
            logger: logger
        )
        var course = FollowingCourse()
        var complaint = Complaint()
        while true {
            let end = await session.follow(course.mode)
            if session.hasHeard { complaint.clear() }
            try Task.checkCancellation()
            session.show(isConnected: false)
            if case .lost(let error) = end {
                complaint.make("origin not followed", error, to: logger)
            }
            switch course.next(after: end, wasTold: session.hasHeard) {
            case .again(let pause, let looks):
                if looks { await rounds.look(untilFailure: true) }
                try await Task.sleep(for: pause * Double.random(in: 0.5...1.5))
            case .looking(let times):
                for _ in 1...times {
                    let hasApps = await rounds.look()
                    let interval = OriginWatcher.defaultInterval
                    try await Task.sleep(for: OriginRounds.pause(interval, hasApps: hasApps))
                }
            }
        }
    }
}

/// How it ended that an edge was told of news.
enum FollowingEnd {
    /// There is nobody who tells.
    case untold
    /// It was told nothing at all, not even that there is nothing.
    case silent
    /// It was told until then.
    case ended
    case lost(any Error)
}

/// What an edge does next that is not told any more.
struct FollowingCourse {
    enum Step: Equatable {
        /// Looks first, where it was told nothing for longer than a lost connection takes.
        case again(after: Duration, looks: Bool)
        case looking(times: Int)
    }

    private(set) var mode = NewsMode.streaming
    private var failures = 0

    private static let firstPause = Duration.milliseconds(100)
    private static let longestPause = Duration.seconds(5)
    /// A minute, until an origin is asked anew whether it tells.
    private static let looks = 12

    /// Takes whether it was told anything until then, if only that there is nothing.
    mutating func next(after end: FollowingEnd, wasTold: Bool = false) -> Step {
        let wasStreaming = mode == .streaming
        mode = .streaming
        if wasTold { failures = 0 }
        switch end {
        case .untold:
            failures = 0
            return .looking(times: Self.looks)
        case .ended:
            // What ends without a word is something in front of the origin.
            failures = wasTold || !wasStreaming ? 0 : failures + 1
        case .silent:
            failures += 1
            if wasStreaming { mode = .polling }
        case .lost:
            failures += 1
        }
        let doublings = min(max(failures - 1, 0), 10)
        return .again(
            after: min(Self.firstPause * (1 << doublings), Self.longestPause),
            looks: failures > 1
        )
    }
}
