/// What the body answers, or `nil` where that takes too long.
///
/// The body is cancelled then, and MUST end when it is.
func within<Value: Sendable>(
    _ limit: Duration,
    _ body: @escaping @Sendable () async -> Value
) async -> Value? {
    await withTaskGroup(of: Value?.self) { tasks in
        tasks.addTask(name: "question") { await body() }
        tasks.addTask(name: "time limit") {
            // Whoever comes second is cancelled, which is all that can happen here.
            try? await Task.sleep(for: limit)
            return nil
        }
        let first = await tasks.next()
        tasks.cancelAll()
        return first ?? nil
    }
}
