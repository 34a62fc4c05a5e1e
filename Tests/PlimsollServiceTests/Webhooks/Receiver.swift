import Foundation
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Synchronization

/// What a receiver answers, until it is told otherwise, and what it has taken.
final class Receiver: Sendable {
    private struct State {
        var reply = ScriptedServer.Reply.bytes(.answer(204))
        var taken: [ScriptedServer.Request] = []
        var asked = 0
    }

    private let state = Mutex(State())

    /// Runs the body with a receiver on a real socket.
    static func with<Result>(
        _ reply: ScriptedServer.Reply = .bytes(.answer(204)),
        at port: Int = 0,
        _ body: (Receiver, _ port: Int) async throws -> Result
    ) async throws -> Result {
        let receiver = Receiver()
        receiver.answer(reply)
        return try await ScriptedServer.with(at: port, { receiver.take($0) }) { _, port in
            try await body(receiver, port)
        }
    }

    func answer(_ reply: ScriptedServer.Reply) {
        state.withLock { $0.reply = reply }
    }

    /// How many messages came, taken or not.
    var asked: Int { state.withLock(\.asked) }

    /// The messages that were taken, in the order in which they came.
    var taken: [ScriptedServer.Request] { state.withLock(\.taken) }

    /// The positions of the events that were taken.
    var positions: [Position] {
        taken.compactMap { request in
            let event = try? JSONValue(parsing: Array(request.body.utf8))
            return event?["position"]?.integer.flatMap(Position.init(rawValue:))
        }
    }

    private func take(_ request: ScriptedServer.Request) -> ScriptedServer.Reply {
        state.withLock { state in
            state.asked += 1
            if case .bytes(let bytes) = state.reply, bytes.starts(with: "HTTP/1.1 2".utf8) {
                state.taken.append(request)
            }
            return state.reply
        }
    }
}
