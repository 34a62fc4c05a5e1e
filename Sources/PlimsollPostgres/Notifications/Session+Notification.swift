extension Session {
    typealias Notification = (channel: String, payload: String)

    /// Waits for the next notification; `nil` when the deadline has passed or the task was
    /// cancelled.
    func nextNotification(
        until deadline: ContinuousClock.Instant
    ) async throws(PostgresError) -> Notification? {
        try await turn.take(until: deadline)
        defer { turn.give() }
        while let descriptor {
            if let notification = connection.nextNotification() { return notification }
            guard !Task.isCancelled, .now < deadline else { return nil }
            _ = await withTaskCancellationHandler {
                await descriptor.wait(for: .reading, until: deadline)
            } onCancel: {
                descriptor.interrupt()
            }
            guard connection.consumeInput() else {
                defer { breakOff() }
                throw lost(nil)
            }
        }
        throw PostgresError(.closed)
    }
}
