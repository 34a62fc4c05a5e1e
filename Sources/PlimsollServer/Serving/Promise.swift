import Synchronization

/// A value that somebody will know sooner or later.
final class Promise<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let gate = Gate()

    /// Gives the value; what was given first stays.
    func give(_ value: Value) {
        self.value.withLock { $0 = $0 ?? value }
        gate.open()
    }

    /// Throws when the task is cancelled before the value is known.
    func wait() async throws -> Value {
        try await gate.wait()
        guard let value = value.withLock({ $0 }) else {
            preconditionFailure("the gate is opened by giving the value")
        }
        return value
    }
}
