import FoundationEssentials

/// How many sessions a pool keeps, and for how long.
///
/// The sum over all instances must stay below the server's `max_connections`.
package struct PoolLimits: Sendable, Hashable {
    /// Kept ready while the pool runs.
    package var sessionsMinimum = 1
    package var sessionsMaximum = min(2 * ProcessInfo.processInfo.activeProcessorCount + 2, 20)
    /// Beyond so many waiting tasks, the next is refused at once.
    package var waitersMaximum = 10_000
    /// How long a task waits for a session; an attempt to connect that has begun by then may go on
    /// for its own ``SessionSettings/connectTimeout``.
    ///
    /// Also how long an outage may last before tasks are refused at once instead of waiting for its
    /// end.
    package var acquireTimeout: Duration = .seconds(5)
    /// A session unused for so long is closed, down to the minimum.
    package var idleTimeout: Duration = .seconds(600)
    /// A session unused for so long is asked for a sign of life before it is used.
    package var probeAfter: Duration = .seconds(30)
    /// A session is replaced at this age, less up to a twentieth by chance.
    package var lifetimeMaximum: Duration = .seconds(3600)
    /// The first pause after a failure to connect; it doubles up to ``backoffMaximum``.
    package var backoffMinimum: Duration = .milliseconds(50)
    package var backoffMaximum: Duration = .seconds(5)
    /// How often the pool looks after its sessions.
    package var maintenanceInterval: Duration = .seconds(5)
    /// How long a stopping pool waits for its sessions to come back.
    package var drainTimeout: Duration = .seconds(10)

    package init() {}
}
