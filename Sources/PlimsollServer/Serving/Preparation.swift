import Logging
import PlimsollPublishing
import PlimsollPostgres
import PlimsollStore
import ServiceLifecycle
import Synchronization

/// Brings the database to the shape that this program works with, and lets the others begin.
///
/// A database that is away is waited for. One that cannot be used ends the service, with the
/// reason: it is newer than the program, or its settings lose what was acknowledged.
final class Preparation: Service {
    private let connection: ConnectionString
    private let migration: ConnectionString?
    private let logger: Logger
    private let whenStarted: @Sendable () async throws -> Void
    private let gate = Gate()
    private let inspect: @Sendable () async throws -> Void

    private static let retryDelay = Duration.milliseconds(200)

    /// Takes what to wait for before the database is asked at all, and what else has to be seen to
    /// before the others begin.
    init(
        _ connection: ConnectionString,
        migratingWith migration: ConnectionString? = nil,
        whenStarted: @escaping @Sendable () async throws -> Void = {},
        logger: Logger,
        inspect: @escaping @Sendable () async throws -> Void
    ) {
        self.connection = connection
        self.migration = migration
        self.whenStarted = whenStarted
        self.inspect = inspect
        self.logger = logger
    }

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await self.prepare() }
            try await gracefulShutdown()
        } catch is CancellationError {
            return
        }
    }

    /// A service that begins when the database is prepared.
    func before(_ service: some Service) -> any Service {
        Prepared(gate: gate, service: service)
    }

    private func prepare() async throws {
        var complaint = ""
        while true {
            do {
                try await whenStarted()
                try await StoreSchema.prepare(connection, migratingWith: migration)
                let powers = try await LoginPower.read(connection)
                try await inspect()
                for power in powers {
                    logger.warning(
                        "the database's login may do too much",
                        metadata: ["error": "\(power)"]
                    )
                }
                return gate.open()
            } catch is PrivateServerAway {
                // Whoever starts the private server has said so, and tries again or ends the service.
            } catch  where isOutage(error) {
                if complaint != "\(error)" {
                    let what = error is OutsideCheckpointAway ? "a checkpoint" : "the database"
                    logger.warning("\(what) is away", metadata: ["error": "\(error)"])
                }
                complaint = "\(error)"
            }
            try await Task.sleep(for: Self.retryDelay)
        }
    }

    private func isOutage(_ error: any Error) -> Bool {
        let cause: PostgresError
        switch error {
        case let error as PostgresError: cause = error
        case MigrationError.database(let error), MigrationError.failed(_, _, let error):
            cause = error
        case is OutsideCheckpointAway: return true
        default: return false
        }
        return switch cause.kind {
        case .connectFailed, .connectionLost, .commitUnknown, .timedOut, .closed: true
        case .server, .cancelled, .decoding, .aborted, .misuse: cause.isServerStarting
        }
    }
}

extension PostgresError {
    /// The server is there, but not for us yet: it starts, stops or recovers.
    fileprivate var isServerStarting: Bool {
        sqlState.map { ["57P01", "57P02", "57P03"].contains($0.rawValue) } ?? false
    }
}

/// Runs a service once a gate is open; a shutdown that comes first is its end.
private struct Prepared<Wrapped: Service>: Service {
    let gate: Gate
    let service: Wrapped

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await gate.wait() }
        } catch is CancellationError {
            return
        }
        try await service.run()
    }
}
