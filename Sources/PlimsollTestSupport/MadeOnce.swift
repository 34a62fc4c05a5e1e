/// A value that is made the first time somebody needs it, and given to all.
package actor MadeOnce<Value: Sendable> {
    private let make: @Sendable () async throws -> Value
    private var isBeingMade = false
    private var made: Result<Value, any Error>?
    private var waiters: [CheckedContinuation<Void, Never>] = []

    package init(_ make: @escaping @Sendable () async throws -> Value) { self.make = make }

    package func value() async throws -> Value {
        while isBeingMade {
            await withCheckedContinuation { waiters.append($0) }
        }
        if let made { return try made.get() }
        isBeingMade = true
        let result: Result<Value, any Error>
        do {
            result = .success(try await make())
        } catch {
            result = .failure(error)
        }
        // Whoever was cancelled while making it leaves that to the next.
        if case .failure = result, Task.isCancelled {} else { made = result }
        isBeingMade = false
        for waiter in waiters { waiter.resume() }
        waiters = []
        return try result.get()
    }
}
