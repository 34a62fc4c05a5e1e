import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
import PlimsollAPI
import PlimsollEdge
import PlimsollHTTP
import ServiceLifecycle
import Synchronization

/// Answers other edges, at an address that phones do not reach.
///
/// So a change travels from edge to edge as a tree has its branches: each tells its own, and no
/// edge, the first one included, has more to do the more there are below.
package struct OriginListener: Service {
    /// Each edge that follows holds one connection open and has some to fetch with.
    private static let places = Places.Limits(strangers: 4096, known: 0)

    package let offers: SnapshotOffers
    package let followers: FollowingEdges
    private let host: String
    private let port: Int
    private let pace: OriginPace
    private let logger: Logger
    private let onRunning: @Sendable (Int) -> Void

    /// Takes where it listens, and who is told the port.
    package init(
        host: String,
        port: Int,
        offers: SnapshotOffers,
        followers: FollowingEdges,
        pace: OriginPace = OriginPace(),
        logger: Logger,
        onRunning: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        (self.host, self.port, self.offers, self.followers) = (host, port, offers, followers)
        (self.pace, self.logger, self.onRunning) = (pace, logger, onRunning)
    }

    package func run() async throws {
        let (host, port, logger, onRunning) = (host, port, logger, onRunning)
        // Where it listens is said below, by its name.
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .notice)
        let application = Application(
            router: OriginRouter(offers: offers, followers: followers).router(),
            server: .administration(Places(Self.places)),
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port),
                serverName: nil,
                availableConnectionsDelegate: MaximumAvailableConnections(
                    Self.places.connections
                )
            ),
            onServerRunning: { channel in
                let bound = channel.localAddress?.port ?? port
                logger.info(
                    "other edges are answered",
                    metadata: ["origin.bound": "\(host):\(bound)"]
                )
                onRunning(bound)
            },
            logger: quiet
        )
        try await withThrowingTaskGroup { group in
            group.addTask(name: "signs of life") { await giveSignsOfLife() }
            defer {
                offers.end()
                group.cancelAll()
            }
            try await application.run()
        }
    }

    private func giveSignsOfLife() async {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: pace.silence)) != nil { offers.signal() }
        }
        // Nobody is kept waiting by readers that would read on for ever.
        offers.end()
    }
}

/// How often an origin and those who follow it hear of one another.
package struct OriginPace: Sendable {
    /// How long an edge that follows hears nothing while nothing is new.
    package var silence = Duration.seconds(5)
    /// After how long it asks again for what could not be had.
    package var retry = Duration.seconds(5)
    /// How often it looks whether it has something to report.
    package var report = Duration.seconds(1)

    package init() {}

    /// An edge takes a longer silence for an end.
    var patience: Duration { silence * 2 + .seconds(2) }
    var limits: Transport.Limits {
        Transport.Limits(
            connectTimeout: min(.seconds(5), patience),
            answerTimeout: patience,
            bytesMaximum: 16 << 20
        )
    }

    /// So long an answer may wait that is asked for again and again: no longer than that silence.
    var wait: Duration { silence + .seconds(3) }
}
