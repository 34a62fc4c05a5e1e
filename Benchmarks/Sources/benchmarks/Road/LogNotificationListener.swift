import PlimsollPostgres

/// One connection that inserts, and another that is told.
struct LogNotificationListener: Sendable {
    private let session: Session
    private let rings: AsyncStream<ContinuousClock.Instant>

    private static let channel = "plimsoll_benchmark"
    private static let entry = [UInt8](repeating: 0x5A, count: 512)

    static func with<Answer: Sendable>(
        _ connection: ConnectionString,
        _ body: (LogNotificationListener) async throws -> Answer
    ) async throws -> Answer {
        let session = try await Session.open(connection)
        try await session.execute(
            """
            CREATE TABLE IF NOT EXISTS told (
                id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, entry bytea NOT NULL
            )
            """
        )
        let (rings, rope) = AsyncStream.makeStream(
            of: ContinuousClock.Instant.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask(name: "listener") {
                var listens = false
                for await element in Notifications(connection, channels: [channel]) {
                    let now = ContinuousClock.now
                    if case .mayHaveMissed = element, listens { continue }
                    listens = true
                    rope.yield(now)
                }
            }
            defer { group.cancelAll() }
            let doorbell = LogNotificationListener(session: session, rings: rings)
            // The first element says only that somebody listens.
            _ = await doorbell.nextRing()
            let answer = try await body(doorbell)
            await session.close()
            return answer
        }
    }

    /// How long it took until the listener knew of a row that is durable.
    func roundTrip() async throws -> Duration {
        let start = ContinuousClock.now
        try await session.execute(
            """
            WITH row AS (INSERT INTO told (entry) VALUES (\(Self.entry)) RETURNING id)
            SELECT pg_notify(\(Self.channel), id::text) FROM row
            """
        )
        return start.duration(to: try known(await nextRing(), "a notification"))
    }

    private func nextRing() async -> ContinuousClock.Instant? {
        var iterator = rings.makeAsyncIterator()
        return await iterator.next()
    }
}
