import Foundation
import PlimsollPostgres
import PlimsollTestSupport
import Testing

/// What happens to sessions when their server stops, dies, freezes or changes its part.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ServerFaultTests {
    // Goal: a short outage is bridged, and after it all is as before. Method: clients count in
    // a table while the server is stopped and started again, gently and not.
    @Test(arguments: [ScratchDatabaseServer.StopMode.fast, .immediate])
    func `a pool outlives a restart of its server`(
        mode: ScratchDatabaseServer.StopMode
    ) async throws {
        try await ScratchDatabaseServer.with { server in
            var limits = PoolLimits()
            limits.sessionsMaximum = 4
            limits.acquireTimeout = .seconds(20)
            let pool = SessionPool(server.connection, limits: limits)
            try await pool.execute("CREATE TABLE item (n bigint)")
            let acknowledged = Tally()
            let unknown = Tally()
            await withTaskGroup { group in
                for number in 0..<4 {
                    group.addTask(name: "writer \(number)") {
                        while !Task.isCancelled {
                            do {
                                try await pool.execute("INSERT INTO item VALUES (1)")
                                acknowledged.add()
                            } catch {
                                unknown.add()
                            }
                        }
                    }
                }
                #expect(await eventually { acknowledged.count > 100 })
                await #expect(throws: Never.self) {
                    try await server.stop(mode)
                    try await server.start()
                }
                let before = acknowledged.count
                #expect(await eventually { acknowledged.count > before + 100 })
                group.cancelAll()
            }
            let row = try await pool.first("SELECT count(*) FROM item")
            let count = try #require(row).value(at: 0, as: Int.self)
            #expect(count >= acknowledged.count)
            #expect(count <= acknowledged.count + unknown.count)
            await pool.close()
        }
    }

    @Test func `a server that is away is waited for, then refused at once`() async throws {
        try await ScratchDatabaseServer.with { server in
            var limits = PoolLimits()
            limits.acquireTimeout = .milliseconds(300)
            let pool = SessionPool(server.connection, limits: limits)
            #expect(await eventually { (try? await pool.execute("SELECT 1")) != nil })
            try await server.stop()
            let first = await #expect(throws: PostgresError.self) {
                try await pool.query("SELECT 1")
            }
            #expect(first?.kind != .server)
            // By now the outage is longer than a task would wait.
            let isRefused = await eventually {
                let begin = ContinuousClock.now
                _ = try? await pool.query("SELECT 1")
                return .now - begin < .milliseconds(100)
            }
            #expect(isRefused)
            try await server.start()
            #expect(await eventually { (try? await pool.query("SELECT 1"))?.count == 1 })
            await pool.close()
        }
    }

    @Test func `a frozen server process is cut off after the grace`() async throws {
        try await ScratchDatabaseServer.with { server in
            var settings = SessionSettings()
            settings.cancelGrace = .milliseconds(300)
            let session = try await Session.open(server.connection, settings: settings)
            try await server.signal("STOP", process: session.processID)
            let begin = ContinuousClock.now
            let error = await #expect(throws: PostgresError.self) {
                try await session.query("SELECT 1", timeout: .milliseconds(100))
            }
            #expect(error?.kind == .timedOut(.statement))
            #expect(.now - begin < .seconds(30))
            let next = await #expect(throws: PostgresError.self) {
                try await session.query("SELECT 1")
            }
            #expect(next?.kind == .closed)
            try await server.signal("CONT", process: session.processID)
        }
    }

    @Test func `a frozen server holds up neither connecting nor cancelling`() async throws {
        try await ScratchDatabaseServer.with { server in
            var settings = SessionSettings()
            settings.cancelGrace = .milliseconds(300)
            let session = try await Session.open(server.connection, settings: settings)
            try await server.signal("STOP")
            settings.connectTimeout = .milliseconds(200)
            let error = await #expect(throws: PostgresError.self) {
                try await Session.open(server.connection, settings: settings)
            }
            #expect(error?.kind == .timedOut(.connect))
            // The process of the session lives, but nobody takes the cancel request.
            let begin = ContinuousClock.now
            let stopped = await #expect(throws: PostgresError.self) {
                try await session.query("SELECT pg_sleep(60)", timeout: .milliseconds(100))
            }
            #expect(stopped?.kind == .timedOut(.statement))
            #expect(.now - begin < .seconds(30))
            try await server.signal("CONT")
        }
    }

    @Test func `of several hosts the one that takes writes is found`() async throws {
        try await ScratchDatabaseServer.with(
            settings: ["default_transaction_read_only=on"]
        ) { reader in
            try await ScratchDatabaseServer.with { writer in
                let hosts = "/tmp/plimsoll-nobody,\(reader.folder),\(writer.folder)"
                let list = ConnectionString("host=\(hosts) user=postgres dbname=postgres")
                // Neither is a standby: of "prefer-standby" the second walk takes the first.
                for (attributes, expected) in [
                    ("read-write", false), ("read-only", true), ("any", true), ("primary", true),
                    ("prefer-standby", true),
                ] {
                    let found = try await isReadOnly(list, attributes)
                    #expect(found == expected, "target_session_attrs=\(attributes)")
                }
                let error = await #expect(throws: PostgresError.self) {
                    try await isReadOnly(list, "standby")
                }
                #expect(error?.kind == .connectFailed)
                // One reason for each of the three.
                #expect(error?.note?.split(separator: ";").count == 3)
            }
        }
    }

    private func isReadOnly(_ list: ConnectionString, _ attributes: String) async throws -> Bool {
        let session = try await Session.open(
            list.replacing(["target_session_attrs": attributes])
        )
        let row = try await session.first("SELECT current_setting('transaction_read_only') = 'on'")
        await session.close()
        return try #require(row).value(at: 0)
    }

    @Test func `a host that never answers costs only its own time-out`() async throws {
        try await ScratchDatabaseServer.with { frozen in
            try await ScratchDatabaseServer.with { sound in
                try await frozen.signal("STOP")
                let list = ConnectionString(
                    "host=\(frozen.folder),\(sound.folder) user=postgres dbname=postgres"
                )
                var settings = SessionSettings()
                settings.connectTimeout = .seconds(6)
                let begin = ContinuousClock.now
                let session = try await Session.open(list, settings: settings)
                #expect(.now - begin < .seconds(30))
                #expect(try await session.query("SELECT 1").count == 1)
                await session.close()
            }
        }
    }

    @Test func `a listener outlives a restart and says that it may have missed something`()
        async throws
    {
        try await ScratchDatabaseServer.with { server in
            var iterator = Notifications(server.connection, channels: ["event"])
                .makeAsyncIterator()
            #expect(await iterator.next() == .mayHaveMissed)
            try await server.stop(.immediate)
            try await server.start()
            #expect(await iterator.next() == .mayHaveMissed)
            let session = try await server.open()
            try await session.execute("NOTIFY event, 'after'")
            #expect(await iterator.next() == .notification(channel: "event", payload: "after"))
            await session.close()
        }
    }

    @Test func `a server without fsync is refused, with a sentence`() async throws {
        try await ScratchDatabaseServer.with(
            settings: ["fsync=off", "full_page_writes=off"]
        ) { server in
            let pool = SessionPool(server.connection)
            let refusal = await #expect(throws: UnsafeServer.self) {
                try await ServerSafety.check(pool)
            }
            #expect(refusal?.settings == ["fsync", "full_page_writes"])
            #expect(refusal?.isReplica == false)
            #expect(refusal?.description.contains("fsync = off and full_page_writes = off") == true)
            await pool.close()
        }
    }

    @Test func `a replica is refused until it is promoted`() async throws {
        try await ScratchDatabaseServer.with { server in
            try await server.stop()
            try Data().write(to: URL(filePath: "\(server.folder)/data/standby.signal"))
            try await server.start()
            let pool = SessionPool(server.connection)
            await #expect(throws: UnsafeServer(settings: [], isReplica: true)) {
                try await ServerSafety.check(pool)
            }
            try await server.promote()
            try await ServerSafety.check(pool)
            await pool.close()
        }
    }

    @Test func `a name nobody knows and a port nobody listens on are failures to connect`()
        async throws
    {
        for place in [
            "host=plimsoll.invalid", "host=127.0.0.1 port=1", "hostaddr=127.0.0.1 port=1",
        ] {
            let error = await #expect(throws: PostgresError.self) {
                try await Session.open(ConnectionString("\(place) user=postgres"))
            }
            #expect(error?.kind == .connectFailed || error?.kind == .timedOut(.connect))
        }
    }
}
