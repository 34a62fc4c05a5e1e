import Synchronization

/// Stops one statement, so that no later one is hit.
///
/// A cancel request names a session, not a statement. It has been delivered once `PQcancel`
/// has returned; hence nobody uses the session between a request and that return. Without this
/// rule a third of the cancels hit the following statement.
final class CancelBox: Sendable {
    enum Cause: Sendable {
        case cancelled, timedOut
        /// The caller wants no more of the result.
        case abandoned
    }

    private enum State {
        /// The statement is not with the server yet.
        case preparing
        case running
        /// A request is under way; the waiters want to go on after it.
        case sending([Waiter<Void>])
        case sent
        case done
    }

    private let state: Mutex<State> = Mutex(.preparing)
    private let requested: Mutex<Cause?> = Mutex(nil)
    private let key: CancelKey
    private let descriptor: WatchedDescriptor

    init(key: CancelKey, descriptor: WatchedDescriptor) {
        self.key = key
        self.descriptor = descriptor
    }

    /// Why the statement was stopped, if it was: the first cause.
    var cause: Cause? { requested.withLock { $0 } }

    /// Called when the statement has left for the server.
    func start() {
        let isWaitedFor = state.withLock { state -> Bool in
            guard case .preparing = state else { return false }
            state = .running
            return true
        }
        if isWaitedFor, cause != nil { send() }
    }

    /// Asks for the end of the statement, from any thread.
    ///
    /// Asking again sends again.
    func request(_ cause: Cause) {
        requested.withLock { $0 = $0 ?? cause }
        send()
        // The session sets itself a deadline for the server's obedience.
        descriptor.interrupt()
    }

    /// Called after the last result: waits only while a request is under way.
    func finish() async {
        let waiter = state.withLock { state -> Waiter<Void>? in
            guard case .sending(let waiters) = state else {
                state = .done
                return nil
            }
            let waiter = Waiter<Void>()
            state = .sending(waiters + [waiter])
            return waiter
        }
        await waiter?.value()
    }

    private func send() {
        let isMine = state.withLock { state -> Bool in
            switch state {
            case .running, .sent:
                state = .sending([])
                return true
            case .preparing, .sending, .done:
                return false
            }
        }
        guard isMine else { return }
        let isOnItsWay = DetachedThread.start(named: "cancel") { [self] in
            key.cancel()
            sent()
        }
        // Without a thread there is no request now; there will be another, or the cut.
        if !isOnItsWay { sent() }
    }

    private func sent() {
        let waiters = state.withLock { state -> [Waiter<Void>] in
            guard case .sending(let waiters) = state else { return [] }
            // Whoever waits is past the statement: from here on no request may leave.
            state = waiters.isEmpty ? .sent : .done
            return waiters
        }
        for waiter in waiters { waiter.resume(()) }
    }
}
