import Foundation
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollOrigin
import PlimsollSystem
import Synchronization

/// From a snapshot that the top of a tree of edges serves until every edge serves it, against a
/// round trip for each level.
///
/// Each edge verifies, prepares and tells as one in a process of its own does, and speaks to the one
/// above over a socket; only phones are left out. So a thousand edges share this machine's
/// processors, which have a thousand times the work of one: what an edge costs is shown as well, and what
/// a tree of so many machines comes to is the figure of the small tree.
struct TreeBenchmark {
    let options: Options

    /// So many changes a round.
    private static let changes = 11

    func run() async throws {
        let folder = options.folder / "tree-\(ProcessInfo.processInfo.processIdentifier)"
        defer { _ = try? folder.removeTree() }
        for shape in [TreeShape(children: [2, 2, 2]), TreeShape(children: [10, 10, 9])] {
            try await measure(shape, in: folder / "\(shape.edges)")
        }
    }

    private func measure(_ shape: TreeShape, in folder: Path) async throws {
        var source = try SnapshotSource(in: folder)
        try await EdgeTree.with(shape, trusting: source.trusted) { tree in
            var half = Score("half of them serve it", against: shape.yardstick, target: .none)
            var last = Score("the last serves it", against: shape.yardstick, target: .none)
            var processor = 0.0
            try await tree.publish(source.next())
            for _ in 1...options.rounds {
                var (halves, lasts, trips): ([Double], [Double], [Double]) = ([], [], [])
                for _ in 1...Self.changes {
                    let snapshot = try await source.next()
                    try await Task.sleep(for: TreeShape.rest)
                    let before = try ProcessorTime().own
                    let times = try await tree.publish(snapshot)
                    processor += try ProcessorTime().own - before
                    halves.append(times[times.count / 2])
                    lasts.append(times[times.count - 1])
                    trips.append(try await tree.roundTrip() * Double(shape.children.count))
                }
                half.note(median(halves), against: median(trips))
                last.note(median(lasts), against: median(trips))
            }
            let each = processor * 1000 / Double(options.rounds * Self.changes * shape.edges)
            print(
                "  \(shape), \(options.rounds) rounds of \(Self.changes) changes, medians; an edge takes"
                    + " \(each.formatted(.number.precision(.fractionLength(2)))) ms of processor for each"
            )
            Table(unit: "ms", scores: [half, last]).show()
        }
    }
}

/// How many edges follow each edge, level by level.
struct TreeShape: CustomStringConvertible {
    let children: [Int]

    /// Between two changes: until all have reported the last one.
    static let rest = OriginPace().report * 1.5

    /// Without the top.
    var edges: Int {
        var (level, sum) = (1, 0)
        for count in children {
            level *= count
            sum += level
        }
        return sum
    }

    var yardstick: String { "\(children.count) round trips" }
    var description: String { "\(edges) edges in \(children.count) levels" }
}
