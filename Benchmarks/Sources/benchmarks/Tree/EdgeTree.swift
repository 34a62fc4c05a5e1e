import Foundation
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollEdge
import PlimsollOrigin
import PlimsollPublishing
import Synchronization

/// Edges that follow one another over sockets, all of them in this process.
final class EdgeTree: Sendable {
    private let top: TreeEdge
    private let address: ServiceAddress
    private let transport: Transport
    private let arrivals: Arrivals

    private static let patience = Duration.seconds(60)

    private init(
        _ top: TreeEdge,
        at address: ServiceAddress,
        _ transport: Transport,
        _ arrivals: Arrivals
    ) {
        (self.top, self.address, self.transport) = (top, address, transport)
        self.arrivals = arrivals
    }

    /// Lends a tree in which every edge follows the one above.
    static func with(
        _ shape: TreeShape,
        trusting keys: TrustedKeys,
        _ body: (EdgeTree) async throws -> Void
    ) async throws {
        let arrivals = Arrivals()
        let top = TreeEdge(trusting: keys, telling: { _ in })
        try await withThrowingDiscardingTaskGroup { group in
            let address = try await top.listen(in: &group)
            var parents = [address]
            for (level, count) in shape.children.enumerated() {
                var next: [ServiceAddress] = []
                for parent in parents {
                    for _ in 1...count {
                        let edge = TreeEdge(trusting: keys, telling: arrivals.note)
                        edge.follow(parent, in: &group)
                        guard level < shape.children.count - 1 else { continue }
                        next.append(try await edge.listen(in: &group))
                    }
                }
                parents = next
            }
            arrivals.expect(shape.edges)
            try await Transport.with { transport in
                try await body(EdgeTree(top, at: address, transport, arrivals))
            }
            group.cancelAll()
        }
    }

    /// After how many milliseconds each edge served it, in order.
    @discardableResult
    func publish(_ snapshot: FetchedSnapshot) async throws -> [Double] {
        let sequence = try Manifest(parsing: snapshot.manifest).sequence
        let start = ContinuousClock.now
        arrivals.await(sequence)
        guard await top.loader.load(snapshot).isServed else {
            throw Failure(sentence: "the top of the tree does not serve what was published")
        }
        let times = try await arrivals.all(within: Self.patience)
        return times.map { start.duration(to: $0) / .milliseconds(1) }.sorted()
    }

    /// How many milliseconds a small answer of the top takes.
    func roundTrip() async throws -> Double {
        let url = address.url("/origin/digests/\(ContentDigest(of: []))")
        let start = ContinuousClock.now
        _ = try await transport.send(WebRequest(.get, url))
        return start.duration(to: .now) / .milliseconds(1)
    }
}

/// When each edge served what is waited for.
private final class Arrivals: Sendable {
    private struct State {
        var sequence: SnapshotSequence?
        var times: [ContinuousClock.Instant] = []
        var count = 0
    }

    private let state = Mutex(State())

    func expect(_ count: Int) { state.withLock { $0.count = count } }

    func await(_ sequence: SnapshotSequence) {
        state.withLock { ($0.sequence, $0.times) = (sequence, []) }
    }

    func note(_ snapshots: [OfferedSnapshot]) {
        state.withLock { state in
            guard snapshots.contains(where: { $0.sequence == state.sequence }) else { return }
            state.times.append(.now)
        }
    }

    func all(within patience: Duration) async throws -> [ContinuousClock.Instant] {
        let end = ContinuousClock.now + patience
        while true {
            let (times, count) = state.withLock { ($0.times, $0.count) }
            if times.count >= count { return times }
            guard ContinuousClock.now < end else {
                throw Failure(sentence: "\(times.count) of \(count) edges serve what was published")
            }
            try await Task.sleep(for: .milliseconds(1))
        }
    }
}
