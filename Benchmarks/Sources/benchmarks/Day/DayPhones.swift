import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// What a phone was answered, and when.
struct DayAnswer: Sendable {
    let edge: Int
    /// When the phone was to look, in seconds since the day's begin.
    let due: Double
    /// From then until the answer was there as a whole.
    let duration: Double
    /// `nil` where there was none.
    let answer: PollAnswer?
}

/// Phones that look at the times of a curve, each over a connection with a handshake of its own.
///
/// They do not wait for each other: where the edges are slow, more are under way at once.
final class DayPhones: Sendable {
    private struct State {
        var answers: [DayAnswer] = []
        var begun = 0
        /// Up to when phones have looked, and what part of one is left over from then.
        var reached = 0.0
        var rest = 0.0
        /// The entity tag of what is published, and of what was published before it.
        var newest: String
        var former: String?
        var changedAt: Double?

        /// How many are to look now that were not before.
        mutating func due(at now: Double, by curve: DayCurve) -> Int {
            let count = rest + curve.rate(at: now) * (now - reached)
            (reached, rest) = (now, count - count.rounded(.down))
            return Int(count)
        }
    }

    private static let tick = TimeAmount.milliseconds(1)
    /// Of phones that have nothing yet.
    private static let firstShare = 0.01
    private static let timeout = TimeAmount.seconds(10)

    private let curve: DayCurve
    private let edges: [SocketAddress]
    private let path: String
    private let tls: NIOSSLContext
    private let group: MultiThreadedEventLoopGroup
    private let state: Mutex<State>
    let bytes = Counter()
    let start: ContinuousClock.Instant

    init(_ curve: DayCurve, to ports: [Int], path: String, holding tag: String) throws {
        (self.curve, self.path) = (curve, path)
        edges = try ports.map { try SocketAddress(ipAddress: "127.0.0.1", port: $0) }
        var configuration = TLSConfiguration.makeClientConfiguration()
        // Who the edge is does not matter here; its signature over the handshake is verified.
        configuration.certificateVerification = .none
        tls = try NIOSSLContext(configuration: configuration)
        group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        state = Mutex(State(newest: tag))
        start = .now
    }

    /// Seconds since the day's begin.
    var time: Double { start.duration(to: .now) / .seconds(1) }

    /// Returns what all phones of the day were answered.
    func run() async throws -> [DayAnswer] {
        let ticks = group.next().scheduleRepeatedTask(initialDelay: .zero, delay: Self.tick) { _ in
            let now = min(self.time, self.curve.duration)
            for _ in 0..<self.state.withLock({ $0.due(at: now, by: self.curve) }) {
                self.look(at: now)
            }
        }
        while time < curve.duration { try await Task.sleep(for: .milliseconds(100)) }
        ticks.cancel()
        while state.withLock({ $0.answers.count < $0.begun }) {
            try await Task.sleep(for: .milliseconds(10))
        }
        try await group.shutdownGracefully()
        return state.withLock(\.answers)
    }

    private func look(at due: Double) {
        let (edge, tag) = state.withLock { state in
            state.begun += 1
            let held = state.changedAt.map { curve.stale(after: due - $0) } ?? 0
            let tag = Double.random(in: 0..<1) < held ? state.former : state.newest
            return (state.begun % edges.count, tag)
        }
        let isFirst = Double.random(in: 0..<1) < Self.firstShare
        let request = Self.request(path, holding: isFirst ? nil : tag)
        let poll = Poll(request, counting: bytes) { [self] answer in
            note(DayAnswer(edge: edge, due: due, duration: time - due, answer: answer))
        }
        ClientBootstrap(group: group)
            .connectTimeout(Self.timeout)
            .channelInitializer { [tls] channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(ByteCounter(poll.bytes))
                    try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: nil))
                    try pipeline.addHandler(PollHandler(poll))
                }
            }
            .connect(to: edges[edge])
            .whenFailure { _ in poll.end(nil) }
    }

    private func note(_ answer: DayAnswer) {
        state.withLock { state in
            state.answers.append(answer)
            guard let tag = answer.answer?.tag, answer.answer?.status == 200,
                tag != state.newest, tag != state.former
            else { return }
            (state.former, state.newest) = (state.newest, tag)
            state.changedAt = time
        }
    }

    private static func request(_ path: String, holding tag: String?) -> String {
        let condition = tag.map { "If-None-Match: \($0)\r\n" } ?? ""
        return
            "GET \(path) HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\(condition)\r\n"
    }
}
