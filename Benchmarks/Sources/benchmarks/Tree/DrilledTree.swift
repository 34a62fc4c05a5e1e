import Foundation
import PlimsollAPI

/// The edges of a drill, and what was done to them.
struct DrilledTree {
    let firsts: [TreeNode]
    let middles: [TreeNode]
    let leaves: TreeLeaves
    let count: Int
    /// What was killed just now, and so is connected to nothing yet.
    private var restarted: Set<String> = []
    private var replaced: Set<Int> = []
    private(set) var disturbances = Disturbances()

    private static let frozenMaximum = 3

    init(firsts: [TreeNode], middles: [TreeNode], leaves: TreeLeaves, count: Int) {
        (self.firsts, self.middles, self.leaves, self.count) = (firsts, middles, leaves, count)
    }

    func startLeaves(in group: inout ThrowingDiscardingTaskGroup<any Error>) {
        for number in 0..<count { start(number, in: &group) }
    }

    /// The leaves that a way of running edges connects to the top.
    var connected: [Int] {
        (0..<count).filter { number in
            !replaced.contains(number) && origins(of: number).contains(where: isRunning)
        }
    }

    func processorTimeOfFirsts() throws -> String {
        let seconds = try firsts.reduce(0) { try $0 + $1.processorTime() }
        return seconds.formatted(.number.precision(.fractionLength(2))) + " s"
    }

    mutating func disturb(in group: inout ThrowingDiscardingTaskGroup<any Error>) throws {
        (restarted, replaced) = ([], [])
        switch Int.random(in: 0..<10) {
        case 0..<3: try restart(middles)
        case 3..<6: freeze(middles, atMost: Self.frozenMaximum)
        case 6: freeze(firsts, atMost: 1)
        case 7: try restart(firsts)
        case 8:
            wake(firsts)
            wake(middles)
        default: replaceLeaves(in: &group)
        }
    }

    private mutating func restart(_ nodes: [TreeNode]) throws {
        // One of two that is frozen leaves the other one the only way.
        guard !nodes.contains(where: \.isFrozen) || nodes.count > firsts.count,
            let node = nodes.filter({ !$0.isFrozen }).randomElement()
        else { return }
        try node.restart()
        restarted.insert(node.name)
        disturbances.killed += 1
    }

    private mutating func freeze(_ nodes: [TreeNode], atMost maximum: Int) {
        guard nodes.count(where: \.isFrozen) < maximum,
            let node = nodes.filter({ !$0.isFrozen }).randomElement()
        else { return }
        node.freeze()
        disturbances.frozen += 1
    }

    private func wake(_ nodes: [TreeNode]) {
        for node in nodes where node.isFrozen { node.wake() }
    }

    private mutating func replaceLeaves(
        in group: inout ThrowingDiscardingTaskGroup<any Error>
    ) {
        for _ in 1...10 {
            let number = Int.random(in: 0..<count)
            start(number, in: &group)
            replaced.insert(number)
            disturbances.replaced += 1
        }
    }

    private func start(
        _ number: Int,
        in group: inout ThrowingDiscardingTaskGroup<any Error>
    ) {
        leaves.start(number, following: origins(of: number).map(\.address), in: &group)
    }

    /// Two, and other ones for each of the first ninety leaves.
    private func origins(of number: Int) -> [TreeNode] {
        let first = number % middles.count
        let second = (first + 1 + number / middles.count % (middles.count - 1)) % middles.count
        return [middles[first], middles[second]]
    }

    private func isRunning(_ node: TreeNode) -> Bool {
        !node.isFrozen && !restarted.contains(node.name)
    }
}

/// How often what was done to edges.
struct Disturbances: CustomStringConvertible {
    var (killed, frozen, replaced) = (0, 0, 0)

    var description: String {
        "\(killed) edges killed, \(frozen) frozen, \(replaced) leaves put in the place of others"
    }
}
