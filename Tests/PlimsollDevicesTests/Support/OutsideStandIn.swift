import HTTPTypes
import Hummingbird
import PlimsollDevices
import PlimsollTestSupport
import Synchronization
import Testing

/// A service that somebody else runs, on a real socket, however it behaves.
struct OutsideStandIn: Sendable {
    /// What it does with whoever asks.
    enum Behavior: Sendable {
        case answering(status: Int = 200, type: String = "application/json", body: String)
        /// Never answers.
        case silent
        /// Sends the head, and then a byte now and then.
        case dripping
        case huge
        case redirecting(to: String)
    }

    /// Longer than a busy machine takes for an answer.
    static let timeout: Duration = .seconds(20)
    /// How long whoever expects no answer waits; longer than a question takes to arrive.
    static let silence: Duration = .seconds(4)

    private final class State: Sendable {
        let behavior: Mutex<Behavior>
        let asked = Mutex<[StandInRequest]>([])

        init(_ behavior: Behavior) { self.behavior = Mutex(behavior) }
    }

    private let state: State
    let address: OutsideAddress

    var asked: [StandInRequest] { state.asked.withLock { $0 } }

    /// Returns when somebody has asked, who may have given up meanwhile; after a minute anyway.
    func whenAsked() async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while asked.isEmpty, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    func change(to behavior: Behavior) { state.behavior.withLock { $0 = behavior } }

    /// Runs the body while it answers.
    static func with(
        _ behavior: Behavior,
        _ body: (OutsideStandIn) async throws -> Void
    ) async throws {
        let state = State(behavior)
        try await withStandIn(
            { request in
                state.asked.withLock { $0.append(request) }
                return await Self.response(state.behavior.withLock { $0 })
            },
            { text in
                let address = try #require(OutsideAddress("\(text)/service"))
                try await body(OutsideStandIn(state: state, address: address))
            }
        )
    }

    private static func response(_ behavior: Behavior) async -> Response {
        switch behavior {
        case .answering(let status, let type, let body):
            return Response(
                status: .init(code: status),
                headers: [.contentType: type],
                body: .init(byteBuffer: ByteBuffer(string: body))
            )
        case .silent:
            await untilCancelled()
            return Response(status: .ok)
        case .dripping:
            return Response(
                status: .ok,
                body: .init { writer in
                    try await writer.write(ByteBuffer(string: "{"))
                    await untilCancelled()
                    try await writer.finish(nil)
                }
            )
        case .huge:
            let body = "{\"keys\":[],\"fill\":\"\(String(repeating: "a", count: 4 << 20))\"}"
            return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: body)))
        case .redirecting(let place):
            return Response(status: .found, headers: [.location: place])
        }
    }

    private static func untilCancelled() async {
        let (nothing, continuation) = AsyncStream.makeStream(of: Void.self)
        for await _ in nothing {}
        continuation.finish()
    }
}

/// An address that nobody answers at.
func deadAddress() throws -> OutsideAddress {
    try #require(OutsideAddress("http://127.0.0.1:1/service"))
}
