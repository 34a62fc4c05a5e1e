import Foundation
import HTTPTypes
import Hummingbird
import Logging
import PlimsollDevices
import PlimsollTestSupport
import Synchronization
import Testing

/// A service that somebody else runs, on a real socket, in whatever mood it is.
final class OutsideStandIn: Sendable {
    /// What it does with whoever asks.
    enum Mood: Sendable {
        case answering(status: Int = 200, type: String = "application/json", body: String)
        /// Never answers.
        case silent
        /// Sends the head, and then a byte now and then.
        case dripping
        case huge
        case redirecting(to: String)
    }

    /// A request as it came.
    struct Asked: Sendable {
        let method: String
        let path: String
        let headers: [String: String]
        let body: String
    }

    /// Longer than a busy machine takes for an answer.
    static let timeout: Duration = .seconds(20)
    /// How long whoever expects no answer waits; longer than a question takes to arrive.
    static let silence: Duration = .seconds(4)

    private struct State {
        var mood: Mood
        var asked: [Asked] = []
    }

    private let state: Mutex<State>
    let address: OutsideAddress

    private init(_ mood: Mood, _ address: OutsideAddress) {
        state = Mutex(State(mood: mood))
        self.address = address
    }

    var asked: [Asked] { state.withLock { $0.asked } }

    /// Returns when somebody has asked, who may have given up meanwhile; after a minute anyway.
    func whenAsked() async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while asked.isEmpty, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    func change(to mood: Mood) { state.withLock { $0.mood = mood } }

    /// Runs the body while it answers.
    static func with(
        _ mood: Mood,
        _ body: (OutsideStandIn) async throws -> Void
    ) async throws {
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let router = Router()
        let holder = Holder()
        router.middlewares.add(Answering(holder: holder))
        let application = Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { continuation.yield($0.localAddress?.port ?? 0) },
            logger: Logger(label: "stand-in") { _ in SwiftLogNoOpLogHandler() }
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask(name: "stand-in") { try await application.run() }
            for await port in ports.prefix(1) {
                let text = "http://127.0.0.1:\(port)/service"
                let service = OutsideStandIn(mood, try #require(OutsideAddress(text)))
                holder.service.withLock { $0 = service }
                try await body(service)
            }
            group.cancelAll()
        }
    }

    fileprivate func take(_ asked: Asked) -> Mood {
        state.withLock { state in
            state.asked.append(asked)
            return state.mood
        }
    }
}

/// An address that nobody answers at.
func deadAddress() throws -> OutsideAddress {
    try #require(OutsideAddress("http://127.0.0.1:1/service"))
}

private final class Holder: Sendable {
    let service = Mutex<OutsideStandIn?>(nil)
}

private struct Answering: RouterMiddleware {
    let holder: Holder

    @concurrent func handle(
        _ request: Request,
        context: BasicRequestContext,
        next: @concurrent (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        let body = try await request.body.collect(upTo: 1 << 20)
        var headers: [String: String] = [:]
        for field in request.headers { headers[field.name.canonicalName] = field.value }
        let asked = OutsideStandIn.Asked(
            method: request.method.rawValue,
            path: request.uri.path,
            headers: headers,
            body: String(buffer: body)
        )
        guard let mood = holder.service.withLock({ $0 })?.take(asked) else {
            return Response(status: .serviceUnavailable)
        }
        return await response(mood)
    }

    private func response(_ mood: OutsideStandIn.Mood) async -> Response {
        switch mood {
        case .answering(let status, let type, let body):
            return Response(
                status: .init(code: status),
                headers: [.contentType: type],
                body: .init(byteBuffer: ByteBuffer(string: body))
            )
        case .silent:
            await forever()
            return Response(status: .ok)
        case .dripping:
            return Response(
                status: .ok,
                body: .init { writer in
                    try await writer.write(ByteBuffer(string: "{"))
                    await forever()
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

    /// Until whoever runs this is cancelled.
    private func forever() async {
        let (nothing, continuation) = AsyncStream.makeStream(of: Void.self)
        for await _ in nothing {}
        continuation.finish()
    }
}
