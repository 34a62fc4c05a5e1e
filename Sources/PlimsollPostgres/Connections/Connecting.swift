import CLibPQ
import Synchronization

/// A connection that has been made, with all a session needs.
struct EstablishedConnection: ~Copyable {
    let handle: ConnectionHandle
    let descriptor: WatchedDescriptor
    let cancelKey: CancelKey
}

/// Goes through a plan until one target gives a connection that is accepted.
struct Connecting: Sendable {
    let plan: ConnectionPlan
    let deadline: ContinuousClock.Instant?

    func establish<Accepted>(
        _ accept: (consuming sending EstablishedConnection) async throws(PostgresError) -> Accepted
    ) async throws(PostgresError) -> Accepted {
        var failures: [String] = []
        var last: PostgresError?
        for attributes in plan.passes {
            for target in plan.targets {
                var ofTarget: PostgresError?
                for address in await addresses(of: target, &failures, &ofTarget) {
                    do throws(PostgresError) {
                        return try await accept(try await attempt(address, attributes))
                    } catch {
                        guard error.isOfOneTarget else { throw error }
                        // A host that refuses has spoken, though nobody listens at another address.
                        if ofTarget?.mayPass ?? true { ofTarget = error }
                        failures.append(error.note ?? error.description)
                    }
                }
                // Where one host refuses another may still come.
                if last?.mayPass != true || ofTarget?.mayPass == true { last = ofTarget }
            }
        }
        let kind = last?.kind ?? .connectFailed
        throw PostgresError(kind, failures.joined(separator: "; "), server: last?.server)
    }

    private func addresses(
        of target: ConnectionPlan.Target,
        _ failures: inout [String],
        _ last: inout PostgresError?
    ) async -> [ConnectionPlan.Target] {
        do throws(PostgresError) {
            return try await HostResolution.resolve(target, until: attemptDeadline())
        } catch {
            last = error
            failures.append(error.description)
            return []
        }
    }

    private func attempt(
        _ target: ConnectionPlan.Target,
        _ attributes: String
    ) async throws(PostgresError) -> EstablishedConnection {
        let parameters = plan.parameters(target, attributes: attributes)
        guard let handle = ConnectionHandle(starting: parameters) else {
            throw PostgresError(.connectFailed, "there is no memory for a connection")
        }
        let deadline = attemptDeadline()
        var step = PGRES_POLLING_WRITING
        while step != PGRES_POLLING_OK {
            guard !handle.isBroken, step != PGRES_POLLING_FAILED else {
                throw failure(handle)
            }
            // A new duplicate for each step: libpq replaces its socket on the way, usually by
            // one of the same number.
            guard let descriptor = WatchedDescriptor(duplicating: handle.socket) else {
                throw failure(handle)
            }
            let interest: Readiness.Interest = step == PGRES_POLLING_READING ? .reading : .writing
            try await wait(descriptor, interest, target, until: deadline)
            step = handle.poll()
        }
        return try finish(handle)
    }

    private func wait(
        _ descriptor: WatchedDescriptor,
        _ interest: Readiness.Interest,
        _ target: ConnectionPlan.Target,
        until deadline: ContinuousClock.Instant?
    ) async throws(PostgresError) {
        let outcome = await withTaskCancellationHandler {
            await descriptor.wait(for: interest, until: deadline)
        } onCancel: {
            descriptor.interrupt()
        }
        switch outcome {
        case .ready:
            return
        case .interrupted:
            throw PostgresError(.cancelled)
        case .deadlinePassed:
            let place = target.address.isEmpty ? target.host : target.address
            throw PostgresError(.timedOut(.connect), "\(place) port \(target.port) did not answer")
        }
    }

    private func finish(
        _ handle: consuming ConnectionHandle
    ) throws(PostgresError) -> EstablishedConnection {
        guard handle.settle(), let cancelKey = handle.makeCancelKey(),
            let descriptor = WatchedDescriptor(duplicating: handle.socket)
        else { throw failure(handle) }
        return EstablishedConnection(
            handle: handle,
            descriptor: descriptor,
            cancelKey: cancelKey
        )
    }

    private func failure(_ handle: borrowing ConnectionHandle) -> PostgresError {
        ConnectFailureText(handle.errorMessage).error
    }

    private func attemptDeadline() -> ContinuousClock.Instant? {
        let own = plan.attemptTimeout.map { ContinuousClock.now + $0 }
        guard let own, let deadline else { return own ?? deadline }
        return min(own, deadline)
    }
}

extension PostgresError {
    /// Whether another target may do better.
    fileprivate var isOfOneTarget: Bool {
        switch kind {
        case .connectFailed, .timedOut(.connect): true
        default: false
        }
    }
}

/// What libpq says when it could not connect, taken apart.
///
/// For example `connection to server on socket "…" failed: FATAL:  57P03: the database system
/// is starting up`, followed by a line that names a place in PostgreSQL's source.
struct ConnectFailureText {
    private let text: String

    init(_ text: String) { self.text = text }

    var error: PostgresError {
        let sqlState = sqlState
        return PostgresError(
            .connectFailed,
            sentence,
            server: sqlState.map { ServerMessage(severity: "FATAL", sqlState: $0) }
        )
    }

    /// The first word of five capitals or digits that stands between two colons.
    private var sqlState: SQLState? {
        text.split(separator: ":").lazy
            .map { $0.drop { $0 == " " } }
            .first { word in
                word.utf8.count == 5 && word.contains(where: \.isNumber)
                    && word.allSatisfy { $0.isASCII && ($0.isNumber || $0.isUppercase) }
            }
            .map { SQLState(rawValue: String($0)) }
    }

    private var sentence: String {
        text.split(separator: "\n")
            .filter { !$0.hasPrefix("LOCATION:") }
            .joined(separator: " ")
    }
}

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
    private let key: CancelKey?
    private let descriptor: WatchedDescriptor

    /// Without a key the server is asked nothing.
    init(key: CancelKey?, descriptor: WatchedDescriptor) {
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
        guard let key else { return }
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

/// A session's key to cancel its statements, usable from any thread, freed once.
///
/// libpq's manual lets a `PGcancel` be used anywhere, even in a signal handler. The compiler
/// cannot know that of a pointer, hence the number.
final class CancelKey: Sendable {
    private let address: UInt

    init(owning raw: OpaquePointer) { address = UInt(bitPattern: raw) }

    deinit { unsafe PQfreeCancel(OpaquePointer(bitPattern: address)) }

    /// Asks the server to stop what the session does, and blocks until it has taken note; so this
    /// is for threads of our own.
    ///
    /// Whether it helped is seen from the statement.
    func cancel() {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { message in
            _ = unsafe PQcancel(
                OpaquePointer(bitPattern: address),
                message.baseAddress,
                CInt(message.count)
            )
        }
    }
}
