import CLibPQ

/// A connection that has been made, with all a session needs.
struct EstablishedConnection: ~Copyable {
    let handle: ConnectionHandle
    let descriptor: WatchedDescriptor
    let cancelKey: CancelKey
}

/// Goes through a plan until one target gives a connection.
struct Connecting: Sendable {
    let plan: ConnectionPlan
    let deadline: ContinuousClock.Instant?

    func establish() async throws(PostgresError) -> EstablishedConnection {
        var failures: [String] = []
        var last: PostgresError?
        for attributes in plan.passes {
            for target in plan.targets {
                for address in await addresses(of: target, &failures, &last) {
                    do throws(PostgresError) {
                        return try await attempt(address, attributes)
                    } catch {
                        guard error.kind != .cancelled else { throw error }
                        last = error
                        failures.append(error.note ?? error.description)
                    }
                }
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
