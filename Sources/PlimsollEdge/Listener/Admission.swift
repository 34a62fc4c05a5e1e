import Synchronization

/// How many connections there are on all loops together, and how many there may be.
final class Admission: Sendable {
    private let maximum: Int
    private let count = Atomic(0)

    init(maximum: Int) {
        self.maximum = maximum
    }

    /// Whether there was room for one more.
    func enter() -> Bool {
        guard count.add(1, ordering: .relaxed).newValue <= maximum else {
            leave()
            return false
        }
        return true
    }

    func leave() {
        count.subtract(1, ordering: .relaxed)
    }
}
