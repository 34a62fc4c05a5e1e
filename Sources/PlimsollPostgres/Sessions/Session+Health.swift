import CLibPQ

extension Session {
    /// How to find out whether a session is still there.
    enum Probe {
        /// Without asking the server: it takes less than a microsecond.
        case byLooking
        case byRoundTrip
    }

    static let probeTimeout: Duration = .seconds(2)
    static let rollbackTimeout: Duration = .seconds(5)

    /// Whether an operation is under way.
    package var isBusy: Bool { operation != nil }

    func isAlive(_ probe: Probe) async -> Bool {
        guard operation == nil, descriptor != nil else { return false }
        // The end of the stream may come one read after the server's last words.
        guard connection.consumeInput(), connection.consumeInput(),
            !connection.isBroken, connection.notices.fatal == nil,
            connection.transaction == PQTRANS_IDLE
        else {
            breakOff()
            return false
        }
        guard probe == .byRoundTrip else { return true }
        do throws(PostgresError) {
            try await execute("", timeout: Self.probeTimeout)
            return true
        } catch {
            return false
        }
    }

    /// Makes the session fit for the next user; answers whether that worked.
    ///
    /// Prepared statements stay. Session settings stay too, hence `SET LOCAL` only.
    func tidyUp() async -> Bool {
        do throws(PostgresError) {
            // Somebody may still hold a stream of this session, and with it the turn.
            try await turn.take(until: .now + Self.probeTimeout, .ignored)
            defer { turn.give() }
            try await drainLeftover()
        } catch {
            breakOff()
        }
        do throws(PostgresError) {
            if connection.transaction != PQTRANS_IDLE { try await rollBack() }
        } catch {
            breakOff()
        }
        return descriptor != nil && connection.transaction == PQTRANS_IDLE
    }
}
