import Foundation
import PlimsollTestSupport
import Synchronization

@testable import PlimsollClient

/// A transport of an app that never comes to an end by itself.
struct EndlessTransport: DocumentTransport {
    func answer(to request: DocumentRequest) async throws -> DocumentAnswer {
        try await Task.sleep(nanoseconds: 3_600_000_000_000)
        throw AvailabilityError(.unreachable, "An hour is over.")
    }
}

/// A transport that hands a request on once it is let.
final class GatedTransport: DocumentTransport {
    private let entrances = AsyncStream.makeStream(of: Void.self)
    private let gate = AsyncStream.makeStream(of: Void.self)
    private let count = Mutex(0)

    var requests: Int { count.withLock { $0 } }

    func answer(to request: DocumentRequest) async throws -> DocumentAnswer {
        count.withLock { $0 += 1 }
        entrances.continuation.yield()
        for await _ in gate.stream.prefix(1) {}
        return try await URLSessionTransport().answer(to: request)
    }

    func waitForRequest() async {
        for await _ in entrances.stream.prefix(1) {}
    }

    func open() { gate.continuation.finish() }
}

/// Lets nobody pass before it is opened, and does not hear that they are cancelled.
final class DeafGate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// How many wait.
    var count: Int { state.withLock { $0.waiting.count } }

    func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let released = state.withLock { state in
            defer { state = State(isOpen: true) }
            return state.waiting
        }
        for continuation in released { continuation.resume() }
    }

    func openOnceSomebodyWaits() async {
        while count == 0 { await Task.yield() }
        open()
    }
}

/// A transport of an app that goes on whatever it is told.
struct DeafTransport: DocumentTransport {
    let gate = DeafGate()

    func answer(to request: DocumentRequest) async throws -> DocumentAnswer {
        await gate.pass()
        throw AvailabilityError(.unreachable, "The gate was opened.")
    }
}

extension ScriptedServer {
    /// Runs the body against a server that answers with these in turn, and goes on with the last.
    static func answering(
        _ answers: [[UInt8]],
        _ body: (ScriptedServer, _ port: Int) async throws -> Void
    ) async throws {
        let place = Mutex(0)
        try await with(
            { _ in
                .bytes(
                    place.withLock { place in
                        defer { place += 1 }
                        return answers[min(place, answers.count - 1)]
                    }
                )
            },
            body
        )
    }
}
