import PlimsollDocuments
import PlimsollDomain
import PlimsollEdge
import PlimsollTestSupport
import Synchronization
import Testing

@testable import PlimsollOrigin

/// A tree whose middle is killed, cut off and slowed all the time.
@Suite(.serialized, .timeLimit(.minutes(10))) struct TreeDrillTests {
    private let builder: SnapshotBuilder

    init() throws { builder = try SnapshotBuilder() }

    private static let leavesOfEach = 4
    private static let changes: Int64 = 30

    // Goal: whatever becomes of the edges between, every leaf has the newest snapshot in the end,
    // none ever goes back, and who is connected has each change before the next one. Method: three
    // edges in the middle, each behind a proxy; before every change one of them, by a seed, is killed,
    // cut off, slowed, or mended. What each edge offers is what it serves.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `whatever becomes of the middle, leaves go on and never back`(seed: UInt64) async throws {
        let top = TreeEdge("top", trusting: builder.trusted)
        await top.loader.load(try builder.fetched(1))
        try await top.listening { port in
            try await withProxies(3) { proxies in
                try await withThrowingDiscardingTaskGroup { group in
                    var middles = proxies.map { Middle(behind: $0.proxy) }
                    for index in middles.indices {
                        middles[index].start(below: port, trusting: builder.trusted, in: &group)
                    }
                    let leaves = proxies.flatMap { proxy in
                        (1...Self.leavesOfEach).map { _ in Leaf(below: proxy.port) }
                    }
                    for leaf in leaves { leaf.start(trusting: builder.trusted, in: &group) }
                    var random = SeededGenerator(seed: seed)
                    for number in 2...Self.changes {
                        let index = Int.random(in: 0..<3, using: &random)
                        switch Int.random(in: 0..<4, using: &random) {
                        case 0:
                            middles[index].kill()
                            middles[index].start(below: port, trusting: builder.trusted, in: &group)
                        case 1: middles[index].cut()
                        case 2: middles[index].slow(by: .milliseconds(20))
                        default: middles[index].heal()
                        }
                        await top.loader.load(try builder.fetched(number))
                        let connected = leaves.filter { leaf in
                            zip(middles, proxies).contains { !$0.isCut && $1.port == leaf.door }
                        }
                        for leaf in connected { #expect(await leaf.serves(number)) }
                    }
                    for index in middles.indices { middles[index].heal() }
                    for leaf in leaves {
                        #expect(await leaf.serves(Self.changes))
                        #expect(leaf.hasNeverGoneBack)
                    }
                    group.cancelAll()
                }
            }
        }
    }

    private typealias Door = (proxy: FaultProxy, port: Int)

    private func withProxies(
        _ count: Int,
        _ doors: [Door] = [],
        _ body: ([Door]) async throws -> Void
    ) async throws {
        guard doors.count < count else { return try await body(doors) }
        try await FaultProxy.with(toPort: 1) { proxy, port in
            try await withProxies(count, doors + [(proxy, port)], body)
        }
    }
}

/// An edge in the middle that is killed and started again, always behind the same door.
private struct Middle {
    let proxy: FaultProxy
    private let newest = Newest()
    private(set) var isCut = false
    private var stop: AsyncStream<Void>.Continuation?

    init(behind proxy: FaultProxy) { self.proxy = proxy }

    mutating func start(
        below port: Int,
        trusting keys: TrustedKeys,
        in group: inout ThrowingDiscardingTaskGroup<any Error>
    ) {
        let (stopped, stop) = AsyncStream.makeStream(of: Void.self)
        self.stop = stop
        let number = newest.next()
        group.addTask(name: "middle") { [proxy, newest] in
            let edge = TreeEdge("middle", trusting: keys)
            try await edge.listening { own in
                newest.only(number) { proxy.turn(toPort: own) }
                try await edge.following(port) { for await _ in stopped {} }
            }
        }
    }

    func kill() { stop?.finish() }

    mutating func cut() {
        isCut = true
        proxy.cut()
    }

    func slow(by delay: Duration) { proxy.slow(by: delay) }

    mutating func heal() {
        isCut = false
        proxy.heal()
    }
}

/// Who was started last behind a door: who was killed before it listened is not led to any more.
private final class Newest: Sendable {
    private let number = Mutex(0)

    func next() -> Int {
        number.withLock { number in
            number += 1
            return number
        }
    }

    func only(_ own: Int, _ body: () -> Void) {
        number.withLock { number in
            if number == own { body() }
        }
    }
}

/// An edge that follows one door, and remembers all that it ever served.
private final class Leaf: Sendable {
    let door: Int
    private let served = Mutex<[Int64]>([])

    init(below door: Int) { self.door = door }

    var hasNeverGoneBack: Bool { served.withLock { $0 == $0.sorted() } }

    func serves(_ sequence: Int64) async -> Bool {
        await eventually { self.served.withLock { $0.last ?? 0 } >= sequence }
    }

    func start(
        trusting keys: TrustedKeys,
        in group: inout ThrowingDiscardingTaskGroup<any Error>
    ) {
        group.addTask(name: "leaf") { [self] in
            let edge = TreeEdge("leaf", trusting: keys) { snapshots in
                self.served.withLock { $0 += snapshots.map(\.sequence.rawValue) }
            }
            try await edge.following(door) {
                // Until the drill is over.
                try? await Task.sleep(for: .seconds(3600))
            }
        }
    }
}
