package import ServiceLifecycle

/// A service that runs at one of all instances, for as long as that leads and there is work.
///
/// It is cancelled when the lease ends, and begun again with the next one.
package struct LeaderService<Work: Service>: Service {
    private let lead: Leadership
    private let work: Work
    private let hasWork: @Sendable () -> Bool
    private let check: Duration

    /// - Parameters:
    ///   - lead: The lease; it is taken only while there is work.
    ///   - work: What runs meanwhile. It has to end when its task is cancelled.
    ///   - check: How often the lease and the work are looked at.
    ///   - hasWork: Whether there is anything to do.
    package init(
        _ lead: Leadership,
        running work: Work,
        every check: Duration = .milliseconds(500),
        while hasWork: @escaping @Sendable () -> Bool
    ) {
        (self.lead, self.work, self.check, self.hasWork) = (lead, work, check, hasWork)
    }

    package func run() async throws {
        try await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                if hasWork(), await isFree() { try await term() }
                // A cancelled pause ends the loop.
                try? await Task.sleep(for: check)
            }
        }
        await lead.release()
    }

    /// Where the database does not answer nobody begins to lead.
    private func isFree() async -> Bool {
        (try? await lead.takeIfFree()) ?? false
    }

    private func term() async throws {
        guard let term = try? lead.confirm() else { return }
        try await withThrowingTaskGroup { group in
            group.addTask(name: "\(lead.name.rawValue) work") { try await work.run() }
            group.addTask(name: "\(lead.name.rawValue) lease") { try await lead.keep() }
            group.addTask(name: "\(lead.name.rawValue) watch") {
                while (try? lead.confirm(term)) != nil, hasWork() {
                    try await Task.sleep(for: check)
                }
            }
            defer { group.cancelAll() }
            do {
                try await group.next()
            } catch is CancellationError {}
        }
        // Whoever is cancelled can ask the database nothing; the end of ``run()`` does.
        if !Task.isCancelled { await lead.release() }
    }
}
