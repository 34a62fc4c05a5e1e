import Foundation
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollEdge
import PlimsollSystem

/// A tree of edges of which some are killed and frozen all the time: how long a change takes to those
/// that something connects to the top, and whether anybody goes back.
///
/// Two edges follow the top, ten follow those two, and each leaf follows two of the ten. Edges that
/// have others below are processes; the leaves and the top are in this one.
struct TreeDrill {
    let options: Options

    private static let leaves = 988
    private static let fewLeaves = 98
    /// So many changes a round.
    private static let changes = 40
    private static let patience = Duration.seconds(60)

    func run() async throws {
        let program = try known(options.plimsoll, "--plimsoll")
        let folder = options.folder / "drill-\(ProcessInfo.processInfo.processIdentifier)"
        defer { _ = try? folder.removeTree() }
        for count in [Self.fewLeaves, Self.leaves] {
            try await drill(count, program, in: folder / "\(count)")
        }
    }

    private func drill(_ count: Int, _ program: String, in folder: Path) async throws {
        var source = try SnapshotSource(in: folder)
        let keys = folder / "keys.json"
        try Data(source.published.bytes).write(to: URL(filePath: keys.string))
        let top = TreeEdge(trusting: source.trusted, telling: { _ in })
        try await withThrowingDiscardingTaskGroup { group in
            let address = try await top.listen(in: &group)
            let firsts = try ["first", "second"].map { name in
                try TreeNode(name, program: program, keys: keys, following: [address], in: folder)
            }
            let middles = try (1...10).map { number in
                try TreeNode(
                    "middle-\(number)",
                    program: program,
                    keys: keys,
                    following: firsts.map(\.address),
                    in: folder
                )
            }
            let leaves = TreeLeaves(count, trusting: source.trusted)
            var tree = DrilledTree(firsts: firsts, middles: middles, leaves: leaves, count: count)
            tree.startLeaves(in: &group)
            let calm = try await measure(&tree, top, &source) { _ in }
            let load = try tree.processorTimeOfFirsts()
            var rough = DrillTimes()
            for _ in 1...options.rounds {
                rough += try await measure(&tree, top, &source) { tree in
                    try tree.disturb(in: &group)
                }
            }
            print("  \(count + 12) edges: nothing disturbed, \(calm)")
            print("    the two at the top took \(load) of processor until then")
            print("    killed and frozen, \(rough); \(tree.disturbances)")
            print("    went back: \(leaves.wentBack)")
            group.cancelAll()
        }
    }

    private func measure(
        _ tree: inout DrilledTree,
        _ top: TreeEdge,
        _ source: inout SnapshotSource,
        _ disturb: (inout DrilledTree) throws -> Void
    ) async throws -> DrillTimes {
        var times = DrillTimes()
        for _ in 1...Self.changes {
            try disturb(&tree)
            try await Task.sleep(for: TreeShape.rest)
            let snapshot = try await source.next()
            let sequence = try Manifest(parsing: snapshot.manifest).sequence
            let connected = tree.connected
            tree.leaves.await(sequence)
            let start = ContinuousClock.now
            guard await top.loader.load(snapshot).isServed else {
                throw Failure(sentence: "the top of the tree does not serve what was published")
            }
            let arrivals = try await tree.leaves.times(of: connected, within: Self.patience)
            times.note(arrivals.map { start.duration(to: $0) / .milliseconds(1) })
            times.missing += connected.count - arrivals.count
        }
        return times
    }
}

/// What came of some changes, at all edges that were connected.
struct DrillTimes: CustomStringConvertible {
    var missing = 0
    private var changes = 0
    private var all: [Double] = []

    mutating func note(_ times: [Double]) {
        changes += 1
        all += times
    }

    static func += (one: inout DrillTimes, other: DrillTimes) {
        one.missing += other.missing
        one.changes += other.changes
        one.all += other.all
    }

    var description: String {
        let sorted = all.sorted()
        func share(_ share: Double) -> String {
            guard !sorted.isEmpty else { return "–" }
            let place = min(sorted.count - 1, Int(Double(sorted.count) * share))
            return sorted[place].formatted(.number.precision(.fractionLength(0))) + " ms"
        }
        return
            "\(changes) changes at \(sorted.count) leaves: median \(share(0.5)), 99th percentile "
            + "\(share(0.99)), longest \(share(1)); \(missing) never came"
    }
}
