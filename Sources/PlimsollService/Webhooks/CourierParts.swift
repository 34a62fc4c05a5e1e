package import Logging
import PlimsollDomain
package import PlimsollPostgres

/// What the lanes of the webhooks have in common.
package struct CourierParts: Sendable {
    package let useCases: UseCases
    package let postman: Postman
    package let store: LaneStore
    package let lock: AdvisoryLock
    package let logger: Logger
    package var schedule = RetrySchedule()
    package var intervals = CourierIntervals()
    package var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// From 0 to 1.
    package var chance: @Sendable () -> Double = { .random(in: 0...1) }

    package init(
        useCases: UseCases,
        postman: Postman,
        store: LaneStore,
        lock: AdvisoryLock,
        logger: Logger
    ) {
        self.useCases = useCases
        self.postman = postman
        self.store = store
        self.lock = lock
        self.logger = logger
    }

    func now() -> Instant { postman.now() }
}

/// How often lanes look by themselves.
package struct CourierIntervals: Sendable {
    /// Sees whether the lock is held, and which webhooks there are.
    package var check = Duration.seconds(1)
    /// How long a lane waits for events before it looks whether its webhook is still there.
    package var look = Duration.seconds(1)
    /// After the database or the log were away.
    package var recovery = Duration.seconds(1)
    /// After nothing could be signed, so that another process that has the key may take over.
    package var withoutKey = Duration.seconds(60)

    package init() {}
}

extension AdvisoryLock {
    /// Lets one courier of a database work at a time.
    package static func ofCourier(on connection: ConnectionString) -> AdvisoryLock {
        // It spells "PlimHook".
        AdvisoryLock(0x506C_696D_486F_6F6B, named: "plimsoll courier", on: connection)
    }
}
