package import Logging
import PlimsollSystem
package import PlimsollLog
import ServiceLifecycle
import UnixSignals

/// How a witness brings a checkpoint with its line back to the log.
package typealias Posting = @Sendable (SignedCheckpoint) async throws -> Void

/// A host and a port that a witness listens at.
package struct WitnessAddress: Equatable, Sendable {
    package let host: String
    package let port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }
}

/// A witness that runs until it is told to stop, or until the log gives cause for alarm.
package struct WitnessInstance: Sendable {
    private let round: Round
    private let interval: Duration
    private let post: Posting?
    private let address: WitnessAddress?
    private let logger: Logger

    package init(
        _ round: Round,
        every interval: Duration,
        listeningAt address: WitnessAddress?,
        logger: Logger,
        post: Posting?
    ) {
        self.round = round
        self.interval = interval
        self.address = address
        self.logger = logger
        self.post = post
    }

    /// Throws a ``WitnessAlarm``; the answer that is on its way then is still given.
    package func run() async throws {
        let (alarms, alarm) = AsyncStream.makeStream(
            of: WitnessAlarm.self,
            bufferingPolicy: .bufferingOldest(1)
        )
        var services: [any Service] = [
            AlarmBell(alarms: alarms),
            WitnessRounds(round: round, interval: interval, post: post, logger: logger),
        ]
        if let address {
            services.append(
                WitnessListener(
                    address: address,
                    witness: round.witness,
                    alarms: alarm,
                    logger: logger
                )
            )
        }
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: services.map {
                    ServiceGroupConfiguration.ServiceConfiguration(
                        service: $0,
                        failureTerminationBehavior: .gracefullyShutdownGroup
                    )
                },
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: logger
            )
        )
        try await group.run()
    }
}

/// Ends the witness when somebody has brought a checkpoint that contradicts what it has seen.
private struct AlarmBell: Service {
    let alarms: AsyncStream<WitnessAlarm>

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            for await alarm in alarms { throw alarm }
        }
    }
}
