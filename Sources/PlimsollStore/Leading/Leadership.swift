import FoundationEssentials
package import PlimsollPostgres
import Synchronization

/// Lets one of all instances on a database do something at a time, by a lease.
///
/// Nothing depends on a connection: whoever is killed, frozen or cut off stops leading by itself,
/// and another one follows when the lease is over. What a late leader still does is refused where it
/// does it, by its ``Fence``.
package final class Leadership: Sendable {
    private struct State {
        var lease: Lease
        var isAsking = false
        /// How often the lease was given back.
        var releases = 0
        var told: (leader: Leader, at: ContinuousClock.Instant)?
    }

    package let name: LeaseName
    private let holder = UUID()
    private let isAlone: Bool
    private let terms: LeaseTerms
    private let memory: LogMemory?
    private let session: DedicatedSession
    private let state: Mutex<State>

    /// - Parameters:
    ///   - name: What is led.
    ///   - connection: Where the lease is; a session of its own is opened there.
    ///   - isAlone: Whether no other instance can be at work on the database: then a lease that is
    ///     not over is that of a process that is dead, and not waited for.
    ///   - terms: How long it lasts.
    ///   - memory: What this process knows of the log; nobody leads on a log that lacks it.
    package init(
        _ name: LeaseName,
        on connection: ConnectionString,
        isAlone: Bool = false,
        terms: LeaseTerms = LeaseTerms(),
        memory: LogMemory? = nil
    ) {
        self.name = name
        self.memory = memory
        self.isAlone = isAlone
        self.terms = terms
        var settings = SessionSettings.service
        settings.applicationName = "plimsoll \(name.rawValue)"
        settings.connectTimeout = terms.patience
        settings.statementTimeout = terms.patience
        settings.cancelGrace = nil
        session = DedicatedSession(
            connection,
            settings: settings,
            greeting: memory.map { $0.greet }
        )
        state = Mutex(State(lease: Lease(terms)))
    }

    /// The epoch in which this instance leads now; `nil` where it does not.
    package var epoch: Epoch? {
        guard memory?.prohibition == nil else { return nil }
        return state.withLock { $0.lease.epoch(at: .now) }
    }

    /// Who leads, at whatever instance; `nil` where nobody is known to.
    package var leader: Leader? {
        state.withLock { state in
            state.told.flatMap { ContinuousClock.now - $0.at < terms.length ? $0.leader : nil }
        }
    }

    /// Takes the lease if it is free, or prolongs it; answers whether this instance leads.
    ///
    /// A new epoch is higher than `seen`: what the leader writes to may have come from another
    /// database, where more had led.
    @discardableResult
    package func takeIfFree(above seen: Epoch = .none) async throws(PostgresError) -> Bool {
        guard memory?.prohibition == nil else { return false }
        let isMine = state.withLock { state in
            defer { state.isAsking = true }
            return !state.isAsking
        }
        guard isMine else { return epoch != nil }
        defer { state.withLock { $0.isAsking = false } }
        let (asked, releases) = (ContinuousClock.now, state.withLock(\.releases))
        let row = try await session.first(
            """
            SELECT taken, l.epoch, extract(epoch FROM clock_timestamp() - l.taken_at)::float8
            FROM instance.take_lease(
                \(name.rawValue), \(holder), \(milliseconds(terms.length)), \(seen.rawValue),
                \(isAlone)
            ) AS taken
            LEFT JOIN instance.lease l
                ON l.name = \(name.rawValue) AND l.expires_at > clock_timestamp()
            """,
            timeout: terms.patience
        )
        guard let row else { throw PostgresError(.decoding, "instance.take_lease answers a row") }
        let (granted, latest, age) = try row.decode((Int64?, Int64?, Double?).self)
        return state.withLock { state in
            // What was asked for before the lease was given back is given back with it.
            let isWanted = state.releases == releases
            let epoch = isWanted ? granted.flatMap(Epoch.init(rawValue:)) : nil
            if let epoch {
                state.lease.granted(epoch, askedAt: asked)
            } else {
                state.lease.ended()
            }
            // The row is as it was before: whoever has just taken the lease is not in it.
            let known = latest.flatMap(Epoch.init(rawValue:))
            let leader = (epoch ?? known).map { leading in
                Leader(epoch: leading, since: asked - .seconds(leading == known ? age ?? 0 : 0))
            }
            state.told = leader.map { ($0, asked) }
            return state.lease.epoch(at: .now) != nil
        }
    }

    /// Prolongs the lease for as long as this instance leads, until the task is cancelled.
    package func keep() async throws {
        while true {
            try await Task.sleep(for: epoch == nil ? terms.retry : terms.renewal)
            while epoch != nil {
                do {
                    try await takeIfFree()
                    break
                } catch {
                    // It goes on as long as it may; then it is over by itself.
                    try await Task.sleep(for: terms.retry)
                }
            }
        }
    }

    /// What a step of the leader is known by; throws unless this instance leads.
    @discardableResult
    package func confirm() throws(LeaseLost) -> Fence {
        guard let epoch else { throw LeaseLost(name: name) }
        return Fence(name, epoch)
    }

    /// The same for what was begun in a term; throws, too, where another one may have led since.
    @discardableResult
    package func confirm(_ term: Fence) throws(LeaseLost) -> Fence {
        guard try confirm() == term else { throw LeaseLost(name: name) }
        return term
    }

    /// Lets the next one in at once.
    package func release() async {
        let isLeading = state.withLock { state in
            defer {
                state.lease.ended()
                state.releases += 1
            }
            return state.lease.state != .following || state.isAsking
        }
        if isLeading {
            // Where it cannot be given back it ends by itself.
            _ = try? await session.query(
                "SELECT instance.give_lease(\(name.rawValue), \(holder))",
                timeout: terms.patience
            )
        }
        await session.close()
    }

    private func milliseconds(_ duration: Duration) -> Int64 {
        Int64(duration / .milliseconds(1))
    }
}

/// Who leads, as the database told it last.
package struct Leader: Equatable, Sendable {
    package let epoch: Epoch
    /// When it took the lease, by this machine's clock.
    package let since: ContinuousClock.Instant
}

/// This instance does not lead.
package struct LeaseLost: Error, Equatable, Sendable, CustomStringConvertible {
    package let name: LeaseName

    package var description: String {
        "this instance does not have the lease of the \(name.rawValue)"
    }
}
