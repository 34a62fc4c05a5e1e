import PlimsollPostgres
import PlimsollStore
import ServiceLifecycle

/// The service's writer with the pool that the service gives it.
struct WorkingWriter: Sendable {
    let writer: Writer
    let log: EventLog
    let pool: SessionPool

    /// Runs the body while the writer works.
    static func with<Answer: Sendable>(
        on server: ScratchServer,
        authentication: EntryAuthentication? = nil,
        _ body: @escaping @Sendable (WorkingWriter) async throws -> Answer
    ) async throws -> Answer {
        let pool = SessionPool(ConnectionString(server.connection), settings: .service)
        let log = EventLog(pool, authentication: authentication)
        let writer = Writer(log: log, logger: .quiet("writer"))
        return try await withThrowingTaskGroup(of: Answer?.self) { group in
            for service in [pool, writer] as [any Service] {
                group.addTask(name: "service") {
                    try await service.run()
                    return nil
                }
            }
            group.addTask(name: "benchmark") {
                try await writer.whenOpen()
                // Which key the log is at is known by now.
                try authentication?.prepare()
                return try await body(WorkingWriter(writer: writer, log: log, pool: pool))
            }
            while let answer = try await group.next() {
                guard let answer else { continue }
                group.cancelAll()
                return answer
            }
            throw CancellationError()
        }
    }
}
