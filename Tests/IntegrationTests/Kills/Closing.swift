import Synchronization

/// Tells workers that they have done enough.
final class Closing: Sendable {
    private let called = Atomic(false)

    var isDue: Bool { called.load(ordering: .relaxed) }

    func call() { called.store(true, ordering: .relaxed) }
}
