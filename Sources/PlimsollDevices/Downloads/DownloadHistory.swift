package import Logging
import PlimsollEdge
package import PlimsollDomain
package import PlimsollPostgres
import PlimsollStore
import ServiceLifecycle

/// Which apps came to which account, in the database: no account can be read there, and nothing of
/// it lies in the log.
package struct DownloadHistory: Sendable {
    private let database: any Querying
    private let key: AccountKey
    private let retention: Duration

    /// Whoever asks again in this time tries the same download again.
    private static let attempt: Duration = .seconds(3600)
    private static let sweepMaximum: Int64 = 1000

    /// Rows go when nobody asked for so long.
    package static let usualRetention: Duration = .seconds(365 * 86_400)

    package init(
        _ database: any Querying,
        _ key: AccountKey,
        retention: Duration = usualRetention
    ) {
        self.database = database
        self.key = key
        self.retention = retention
    }

    /// Those of the apps that the account had before; all of them are remembered from now on.
    func had(
        _ items: Set<AppleItemID>,
        _ account: String,
        at now: Instant
    ) async throws(PostgresError) -> Set<AppleItemID> {
        let hash = key.hash(account)
        // In order, so that two who ask for the same never wait for each other in a circle.
        let names = items.sorted().map(\.text)
        let expired = Timestamp(now.advanced(by: .zero - retention))
        let rows = try await database.query(
            """
            WITH kept AS (
                INSERT INTO device.download AS old (account, item, first_at, last_at)
                SELECT \(hash), item, \(Timestamp(now)), \(Timestamp(now)) FROM unnest(\(names)) item
                ON CONFLICT (account, item) DO UPDATE SET
                    first_at = CASE WHEN old.last_at < \(expired)
                        THEN excluded.first_at ELSE old.first_at END,
                    last_at = greatest(old.last_at, excluded.last_at)
            )
            SELECT item FROM device.download
            WHERE account = \(hash) AND item = ANY(\(names)) AND last_at >= \(expired)
                AND first_at < \(Timestamp(now.advanced(by: .zero - Self.attempt)))
            """
        )
        var had: Set<AppleItemID> = []
        for row in rows {
            if let item = AppleItemID(try row.value(at: 0, as: String.self)) { had.insert(item) }
        }
        return had
    }

    /// Whether nothing is kept of anybody.
    package static func isEmpty(_ database: any Querying) async throws(PostgresError) -> Bool {
        try await database.query("SELECT 1 FROM device.download LIMIT 1").isEmpty
    }

    /// Erases all that is kept of an account; how many apps it was.
    package func forget(_ account: String) async throws(PostgresError) -> Int {
        try await database.execute(
            "DELETE FROM device.download WHERE account = \(key.hash(account))"
        )
    }

    /// Erases what is too old, some of it at a time; how much that was.
    func sweep(at now: Instant) async throws(PostgresError) -> Int {
        let expired = Timestamp(now.advanced(by: .zero - retention))
        return try await database.execute(
            """
            DELETE FROM device.download WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM device.download WHERE last_at < \(expired)
                LIMIT \(Self.sweepMaximum)
            ))
            """
        )
    }
}

/// Erases what is kept of accounts when its time is over.
package struct DownloadSweeper: Service {
    private let history: DownloadHistory
    private let logger: Logger
    private let trustedTime: @Sendable () -> Instant?

    private static let interval: Duration = .seconds(3600)
    /// How soon the clocks are asked again that were in doubt.
    private static let doubtInterval: Duration = .seconds(60)

    /// The time is `nil` while the clocks are in doubt; then nothing is too old.
    package init(
        _ history: DownloadHistory,
        logger: Logger,
        trustedTime: @escaping @Sendable () -> Instant?
    ) {
        self.history = history
        self.logger = logger
        self.trustedTime = trustedTime
    }

    /// Sweeps again and again until graceful shutdown.
    package func run() async throws {
        try await watchUntilShutdown {
            while true {
                let isTimeKnown = await sweep()
                let interval = isTimeKnown ? Self.interval : Self.doubtInterval
                try await Task.sleep(for: interval * Double.random(in: 0.9...1.1))
            }
        }
    }

    /// Sweeps until nothing is left that is too old; answers whether it is known what that is.
    @discardableResult
    package func sweep() async -> Bool {
        guard let now = trustedTime() else { return false }
        do throws(PostgresError) {
            while try await history.sweep(at: now) > 0, !Task.isCancelled {}
        } catch {
            logger.warning("downloads not swept", metadata: ["error.reason": "\(error)"])
        }
        return true
    }
}
