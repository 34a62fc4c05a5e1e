import Synchronization

/// Counts what happens in several tasks.
final class Tally: Sendable {
    private let value = Atomic(0)

    var count: Int { value.load(ordering: .acquiring) }

    func add() { value.add(1, ordering: .acquiringAndReleasing) }
}
