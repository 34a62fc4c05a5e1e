import PlimsollPostgres
import PlimsollTestSupport
import Testing

@Suite(.scratchDatabase, .timeLimit(.minutes(5)))
struct NotificationTests {
    @Test func `what is said is heard, and first that something may have been missed`()
        async throws
    {
        let pool = SessionPool(try ScratchDatabase.current.connection)
        let channels = ["event", "odd \"name\""]
        var iterator = Notifications(pool.connection, channels: channels).makeAsyncIterator()
        #expect(await iterator.next() == .mayHaveMissed)
        try await pool.execute("SELECT pg_notify('event', 'one'), pg_notify('event', 'two')")
        try await pool.execute("SELECT pg_notify('odd \"name\"', 'three')")
        #expect(await iterator.next() == .notification(channel: "event", payload: "one"))
        #expect(await iterator.next() == .notification(channel: "event", payload: "two"))
        #expect(
            await iterator.next() == .notification(channel: "odd \"name\"", payload: "three")
        )
        await pool.close()
    }

    @Test func `after its connection was killed it listens again and says so`() async throws {
        let pool = SessionPool(try ScratchDatabase.current.connection)
        var iterator = Notifications(pool.connection, channels: ["event"]).makeAsyncIterator()
        #expect(await iterator.next() == .mayHaveMissed)
        try await pool.execute(
            """
            SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
            WHERE datname = current_database() AND query LIKE 'LISTEN%'
            """
        )
        #expect(await iterator.next() == .mayHaveMissed)
        try await pool.execute("NOTIFY event, 'again'")
        #expect(await iterator.next() == .notification(channel: "event", payload: "again"))
        await pool.close()
    }

    @Test func `silence is broken by a reminder`() async throws {
        var iterator = Notifications(
            try ScratchDatabase.current.connection,
            channels: ["event"],
            lookInterval: .milliseconds(50)
        ).makeAsyncIterator()
        for _ in 0..<3 { #expect(await iterator.next() == .mayHaveMissed) }
    }

    @Test func `cancelling the listener ends the sequence`() async throws {
        let notifications = Notifications(
            try ScratchDatabase.current.connection,
            channels: ["event"]
        )
        let heard = Tally()
        await withTaskGroup { group in
            group.addTask(name: "listener") {
                for await _ in notifications { heard.add() }
            }
            #expect(await eventually { heard.count == 1 })
            group.cancelAll()
        }
        #expect(heard.count == 1)
    }
}
