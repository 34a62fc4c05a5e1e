import Logging
import Metrics
import PlimsollAPI
import PlimsollDocuments
import PlimsollEdge
import PlimsollLog
import PlimsollPostgres
import PlimsollPublishing
import PlimsollStore
import PlimsollSystem
import ServiceLifecycle

/// Brings the database to the shape that this program works with, and lets the others begin.
///
/// A database that is away is waited for, and so is one that refuses the connection, since phones are
/// served meanwhile: that is told as what it is. One that cannot be used ends the service, with the
/// reason: it is newer than the program, or its settings lose what was acknowledged.
final class Preparation: Service {
    private let connection: ConnectionString
    private let migration: ConnectionString?
    private let logger: Logger
    private let whenStarted: @Sendable () async throws -> Void
    private let isPrepared = OneShot<Void>()
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
        try await watchUntilShutdown {
            try await self.prepare()
            try await gracefulShutdown()
        }
    }

    /// A service that begins when the database is prepared.
    func before(_ service: some Service) -> any Service {
        Prepared(start: isPrepared, service: service)
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
                return isPrepared.settle()
            } catch is PrivateServerAway {
                // Whoever starts the private server has said so, and tries again or ends the service.
            } catch  where isOutage(error) {
                if complaint != "\(error)" { complain(of: error) }
                complaint = "\(error)"
            }
            try await Task.sleep(for: Self.retryDelay)
        }
    }

    /// A wrong password, and a role or a database that is not there, stay until somebody sees to it.
    private func complain(of error: any Error) {
        let metadata: Logger.Metadata = ["error": "\(error)"]
        if let said = cause(of: error), !said.mayPass {
            logger.error("the database refuses the connection", metadata: metadata)
        } else {
            let what = error is OutsideCheckpointAway ? "a checkpoint" : "the database"
            logger.warning("\(what) is away", metadata: metadata)
        }
    }

    /// What PostgreSQL said, or why it said nothing.
    private func cause(of error: any Error) -> PostgresError? {
        switch error {
        case let error as PostgresError: error
        case MigrationError.database(let error), MigrationError.failed(_, _, let error),
            LogError.database(let error):
            error
        default: nil
        }
    }

    private func isOutage(_ error: any Error) -> Bool {
        guard let said = cause(of: error) else { return error is OutsideCheckpointAway }
        return switch said.kind {
        case .connectFailed, .connectionLost, .commitUnknown, .timedOut, .closed: true
        case .server, .cancelled, .decoding, .aborted, .misuse: said.isServerStarting
        }
    }
}

extension PostgresError {
    /// The server is there, but not for us yet: it starts, stops or recovers.
    fileprivate var isServerStarting: Bool {
        sqlState.map { ["57P01", "57P02", "57P03"].contains($0.rawValue) } ?? false
    }
}

/// Runs a service once it may start; a shutdown that comes first is its end.
private struct Prepared<Wrapped: Service>: Service {
    let start: OneShot<Void>
    let service: Wrapped

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await start.value }
        } catch is CancellationError {
            return
        }
        try await service.run()
    }
}

/// Compares the database with what was signed over it, before anything is appended.
struct CheckpointConsistencyCheck: Sendable {
    let outside: OutsideLog
    /// What an operator has decided to go on without.
    let accepted: MerkleRoot?
    let writer: Writer
    /// Has the edge of this process take another log for the one that it serves.
    let forget: @Sendable () async -> Void
    let logger: Logger

    /// Lets the writer write only if the database holds everything that was signed; events that are
    /// known by their tree are not read again.
    func run(after known: MerkleFrontier? = nil) async throws {
        do {
            var consistency = try await outside.consistency(after: known)
            while let lost = consistency.lost, lost == accepted {
                try await outside.giveUp(lost)
                logger.warning("a checkpoint was given up", metadata: ["log.size": "\(lost.size)"])
                consistency = try await outside.consistency(after: known)
            }
            if case .unseen(let root) = consistency, root == accepted {
                logger.warning(
                    "the log goes on without what was published of it",
                    metadata: ["log.size": "\(root.size)"]
                )
                consistency = .sound
            }
            if let prohibition = consistency.prohibition {
                writer.forbid(because: prohibition)
                logger.critical(
                    "the service reads only",
                    metadata: ["error": "\(prohibition.sentence)"]
                )
            } else if let place = try await outside.setAside() {
                logger.critical(
                    "a published log was set aside",
                    metadata: ["file.path": "\(place)"]
                )
                await forget()
            }
            Gauge(label: "plimsoll.log.read_only").record(writer.prohibition == nil ? 0 : 1)
        } catch LogError.database(let error) {
            throw error
        } catch let error as LogError {
            writer.memory.lose(error)
            if writer.memory.loss == nil { throw error }
        }
    }
}

extension EntryAuthentication {
    /// Without a key nothing is written, because nobody could tell it from what others write.
    func prepare(for writer: Writer, logger: Logger) {
        do throws(EntryKeyError) {
            try prepare()
        } catch {
            writer.forbid(because: Prohibition(.logDamaged, "\(error)"))
            logger.critical("the service reads only", metadata: ["error": "\(error)"])
        }
    }
}

extension LogMemory {
    /// Greets a session, and looks too whether its database has what any instance has published.
    func greet(
        _ session: Session,
        knowing published: PublishedCheckpoint
    ) async throws(PostgresError) {
        try await greet(session)
        guard isAtWork else { return }
        let loss: Prohibition?
        do throws(LogError) {
            loss = try await published.consistency(on: session).prohibition
        } catch .database(let error) {
            throw error
        } catch {
            // A record that contradicts itself stops the exporter, which says so.
            return
        }
        if let loss { try await lose(loss, on: session) }
    }
}

extension CheckpointPlace {
    /// Takes what an operator named: a web address, or else a file.
    init(_ place: String) {
        guard place.hasPrefix("http://") || place.hasPrefix("https://") else {
            self.init(in: Path(place))
            return
        }
        self.init(at: place) { url in
            let limits = Transport.Limits(
                answerTimeout: fetchTimeout,
                bytesMaximum: Self.sizeMaximum
            )
            let answer = try await Transport.with(limits) { transport in
                try await transport.send(WebRequest(.get, url))
            }
            guard answer.status == 200 else { throw NotShown(status: answer.status) }
            return answer.body
        }
    }
}

/// Nothing is written meanwhile, so nobody waits longer than for a slow network.
private let fetchTimeout = Duration.seconds(10)

private struct NotShown: Error, CustomStringConvertible {
    let status: Int

    var description: String { "it answered \(status), and 200 is needed." }
}

/// Keeps an edge at the keys that its operator gave it in a file.
///
/// A file that is missing, or cannot be read, changes nothing: what was trusted stays trusted.
struct TrustWatcher: Service {
    let file: Path
    let loader: SnapshotLoader
    let logger: Logger

    private static let interval = Duration.seconds(1)

    func run() async throws {
        try await watchUntilShutdown { try await watch() }
    }

    private func watch() async throws {
        var last: [UInt8]?
        var complaint = Complaint()
        while true {
            do {
                let bytes = try file.read(sizeMaximum: PublishedKeys.sizeMaximum)
                if bytes != last {
                    await loader.trust(try trustedKeys(bytes))
                    last = bytes
                }
                complaint.clear()
            } catch {
                complaint.make("the trusted keys cannot be read", error, to: logger)
            }
            try await Task.sleep(for: Self.interval)
        }
    }

    private func trustedKeys(_ bytes: [UInt8]) throws -> TrustedKeys {
        TrustedKeys(try PublishedKeys(parsing: bytes))
    }
}
