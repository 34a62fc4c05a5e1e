import FoundationEssentials
import PlimsollDomain
import PlimsollPostgres
import PlimsollTestSupport
import Testing

@testable import PlimsollStore

/// Who leads, by the row in the database, and what is refused to whoever led before.
@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(2)))
struct LeadershipTests {
    private func lead(
        isAlone: Bool = false,
        for length: Duration = .seconds(60)
    ) throws -> Leadership {
        Leadership(
            .exporter,
            on: try ScratchDatabase.current.connection,
            isAlone: isAlone,
            terms: LeaseTerms(length: length)
        )
    }

    private func asOwner(_ statement: Statement) async throws {
        let session = try await Session.open(ScratchDatabase.current.connection)
        try await session.execute(statement)
        await session.close()
    }

    @Test func `one leads, and the next one when it gives the lease back`() async throws {
        let (first, second) = (try lead(), try lead())
        #expect(try await first.takeIfFree())
        #expect(try await !second.takeIfFree())
        let old = try first.confirm().epoch
        #expect(try await first.takeIfFree())
        #expect(try first.confirm().epoch == old)
        await first.release()
        #expect(throws: LeaseLost(name: .exporter)) { try first.confirm() }
        #expect(try await second.takeIfFree())
        #expect(try second.confirm().epoch > old)
    }

    @Test func `what is granted after the lease was given back is given back, too`() async throws {
        let (first, second) = (try lead(), try lead())
        #expect(try await first.takeIfFree())
        let blocker = try await Session.open(ScratchDatabase.current.connection)
        try await blocker.execute("BEGIN")
        try await blocker.execute("LOCK instance.lease IN ACCESS EXCLUSIVE MODE")
        async let renewal = first.takeIfFree()
        try await poll(until: .seconds(10)) {
            let waiting: Statement =
                "SELECT FROM pg_locks WHERE relation = 'instance.lease'::regclass AND NOT granted"
            return try await blocker.query(waiting).count == 1
        }
        async let release: Void = first.release()
        try await poll(until: .seconds(10)) { first.epoch == nil }
        try await blocker.execute("COMMIT")
        #expect(try await !renewal)
        await release
        #expect(first.epoch == nil)
        #expect(try await second.takeIfFree())
        await blocker.close()
    }

    @Test func `of many who ask at once one leads`() async throws {
        let instances = try (0..<8).map { _ in try lead() }
        let leaders = try await withThrowingTaskGroup(of: Bool.self) { group in
            for instance in instances { group.addTask { try await instance.takeIfFree() } }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(leaders == 1)
    }

    @Test func `a leader that does not renew is followed, and believes it no more by then`()
        async throws
    {
        let (first, second) = (try lead(for: .seconds(12)), try lead())
        try await first.takeIfFree()
        try await poll(until: .seconds(60)) {
            let isFollowed = try await second.takeIfFree()
            if isFollowed { #expect(first.epoch == nil) }
            return isFollowed
        }
        #expect(try await !first.takeIfFree())
    }

    @Test func `who renews is followed by nobody`() async throws {
        let (first, second) = (try lead(), try lead())
        #expect(try await first.takeIfFree())
        let epoch = try first.confirm().epoch
        let before = try await expiry()
        try await withThrowingTaskGroup { group in
            group.addTask { try await first.keep() }
            try await poll(until: .seconds(60)) { try await expiry() > before }
            group.cancelAll()
        }
        #expect(try await !second.takeIfFree())
        #expect(first.epoch == epoch)
    }

    private func expiry() async throws -> Int64 {
        let session = try await Session.open(ScratchDatabase.current.connection)
        let row = try await session.first("SELECT expires_at FROM instance.lease")
        await session.close()
        return try #require(try row?.value(at: 0, as: Timestamp.self)).microsecondsSince1970
    }

    @Test func `a connection that ends ends no lease`() async throws {
        let (first, second) = (try lead(), try lead())
        #expect(try await first.takeIfFree())
        try await asOwner(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
            """
        )
        #expect(try await !second.takeIfFree())
        #expect(first.epoch != nil)
    }

    @Test func `a clock that was set back keeps nobody from leading`() async throws {
        let (first, second) = (try lead(), try lead())
        #expect(try await first.takeIfFree())
        try await asOwner("UPDATE instance.lease SET expires_at = now() + interval '1 h'")
        #expect(try await second.takeIfFree())
    }

    @Test func `who is alone waits for nobody, and leads in a later epoch than was seen`()
        async throws
    {
        let (first, second) = (try lead(), try lead(isAlone: true))
        #expect(try await first.takeIfFree())
        let seen = try #require(Epoch(rawValue: 41))
        #expect(try await second.takeIfFree(above: seen))
        #expect(try second.confirm().epoch.rawValue == 42)
    }

    @Test func `what a leader writes is refused once there is a later one, alone and in a group`()
        async throws
    {
        try await withWriter { writer, log in
            let (first, second) = (try lead(), try lead(isAlone: true))
            #expect(try await first.takeIfFree())
            let old = try first.confirm()
            _ = try await writer.perform(CommandRequest(failure("in time"), fence: old))
            #expect(try await second.takeIfFree())
            await #expect(throws: WriteError.superseded) {
                try await writer.perform(CommandRequest(failure("late"), fence: old))
            }
            let new = try second.confirm()
            let results = await writer.perform([
                CommandRequest(failure("before")), CommandRequest(failure("late"), fence: old),
                CommandRequest(failure("after"), fence: new),
            ])
            #expect(results.map { (try? $0.get()) != nil } == [true, false, true])
            #expect(try await log.head().position == Position(3))
        }
    }

    @Test func `whoever comes next waits for what is being written`() async throws {
        let (first, second) = (try lead(), try lead(isAlone: true, for: .seconds(15)))
        #expect(try await first.takeIfFree())
        let fence = try first.confirm()
        let session = try await Session.open(ScratchDatabase.current.connection)
        try await session.withTransaction { transaction in
            try await transaction.execute(
                """
                SELECT instance.check_leases(
                    \([fence.lease.rawValue]), \([fence.epoch.rawValue])
                )
                """
            )
            await #expect(throws: PostgresError.self) { try await second.takeIfFree() }
        }
        #expect(try await second.takeIfFree())
        await session.close()
    }
}
