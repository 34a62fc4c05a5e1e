import Glibc
import PlimsollAPI
import PlimsollJSON
import PlimsollPostgres
import PlimsollTestSupport
import Testing

extension ServiceTests {
    /// What an on-call person meets in the first moments after something died.
    @Suite struct FirstSecondTests {
        // Goal: the first `ready` is true, nothing before it is a lie, and a rollback needs no
        // patience. Method: the service is killed under load and asked from the moment it listens.
        @Test func `a service that comes back tells no lies and rolls back at once`() async throws {
            try await ServerFixture.with { fixture in
                let trial = try await Trial(fixture, workers: 4)
                var responder = ""
                var calm: Int64 = 0
                try await fixture.run { server in
                    responder = try await server.admit("rita", "responder")
                    calm = try await server.head()
                    try await trial.work(at: server, until: .milliseconds(500)) {
                        try await eventually("somebody's change is applied") {
                            trial.ledger.applied.isEmpty ? nil : true
                        }
                        server.send(SIGKILL)
                    }
                }
                try await fixture.run(.started) { server in
                    try await expectTruthUntilReady(server)
                    let back = try await rollBack(to: calm, as: responder, at: server)
                    #expect(back.status == 200, "\(back.json)")
                    let applied = try await server.changes("applied").compactMap {
                        $0["id"]?.string
                    }
                    #expect(Set(trial.ledger.applied.compactMap(\.id)).isSubset(of: applied))
                    let events = try await server.settle()
                    trial.ledger.expectKept(in: events)
                    try await server.expectAgreement(with: events)
                }
            }
        }

        @Test func `a database that goes and comes is told soon, and phones go on`() async throws {
            try await ScratchDatabaseServer.with { database in
                try await ServerFixture.with { fixture in
                    let fixture = fixture.on("host=\(database.folder) user=postgres")
                    try await fixture.run { server in
                        let responder = try await server.admit("rita", "responder")
                        let calm = try await server.head()
                        let served = try await server.published().answer.body
                        #expect(try await readiness(of: server).status == 200)

                        try await database.stop(.immediate)
                        let without = try await eventually("the service says so") {
                            let reply = try await readiness(of: server)
                            return reply.status == 503 ? reply : nil
                        }
                        #expect(without.codes == ["notReady"])
                        #expect(try await server.published().answer.body == served)

                        try await database.start()
                        try await expectReady(server)
                        // A connection from before may answer for a moment that it is gone.
                        let back = try await eventually("the service takes a rollback") {
                            let reply = try await rollBack(to: calm, as: responder, at: server)
                            return reply.status == 503 ? nil : reply
                        }
                        // Everything is as it was, which a responder has to be told.
                        #expect(back.json["type"]?.string == "/problems/nothing-to-do")
                    }
                }
            }
        }

        // Goal: nobody reads a record that lacks its end. Method: the read models do not wait for
        // the disk, and this server writes late: it loses what was folded last, unless a later
        // commit, such as the renewal of a lease, took that along; then it is tried once more.
        @Test func `what the database lost of the read models is never left out`() async throws {
            let late = ["wal_writer_delay=10s"]
            try await ScratchDatabaseServer.with(settings: late) { database in
                try await ServerFixture.with { fixture in
                    let fixture = fixture.on("host=\(database.folder) user=postgres")
                    try await fixture.run { server in
                        let alice = try await server.admit("alice", "proposer")
                        let base = try await server.head()
                        let known = try await eventually("something is lost") {
                            try await expectReady(server)
                            let known = try await recordAndCrash(server, database, base, as: alice)
                            let isLost = try await stand(of: database) < known
                            server.send(SIGCONT)
                            return isLost ? known : nil
                        }
                        let token = try fixture.adminToken()
                        try await eventually("the record") {
                            let page = try await server.send(
                                .get,
                                "/v1/events?limit=1",
                                as: token
                            )
                            guard page.status != 503 else { return Bool?.none }
                            let newest = page.json["events"]?.array?.first
                            #expect(newest?["position"]?.integer == Int64(known))
                            return true
                        }
                        #expect(try await readiness(of: server).status == 200)
                        #expect(try await stand(of: database) == known)
                    }
                }
            }
        }

        /// Has a change proposed, freezes the service as soon as it is read, and has the database
        /// lose its power; how many events the service has read.
        private func recordAndCrash(
            _ server: RunningServer,
            _ database: ScratchDatabaseServer,
            _ base: Int64,
            as author: String
        ) async throws -> Int {
            let edit = Edits.setValue("ios", "minimumApp", "3.2.0")
            // A connection from before may answer for a moment that it is gone.
            let proposed = try await eventually("the service takes a change") {
                let reply = try await server.propose([edit], base: base, as: author)
                return reply.status == 503 ? nil : reply
            }
            #expect(proposed.status == 201)
            let known = try await server.settle().count
            server.send(SIGSTOP)
            try await database.stop(.immediate)
            try await database.start()
            return known
        }

        /// How far the read models go in the database.
        private func stand(of database: ScratchDatabaseServer) async throws -> Int {
            let session = try await Session.open(database.connection)
            let row = try await session.first("SELECT max(position) FROM projection.state")
            await session.close()
            return try #require(row).value(at: 0)
        }

        @Test func `a database that hangs is told before anybody loses patience`() async throws {
            try await ScratchDatabaseServer.with { database in
                try await ServerFixture.with { fixture in
                    let fixture = fixture.on("host=\(database.folder) user=postgres")
                    try await fixture.run { server in
                        let processes = try await stopServing(database)
                        let start = ContinuousClock.now
                        try await eventually("the service says so") {
                            try await readiness(of: server).status == 503 ? true : nil
                        }
                        #expect(.now - start < .seconds(30))
                        for process in processes { _ = kill(process, SIGCONT) }
                        try await expectReady(server)
                    }
                }
            }
        }

        /// Asks from the first moment until the service says that it is ready.
        private func expectTruthUntilReady(_ server: RunningServer) async throws {
            let token = try server.fixture.adminToken()
            try await eventually("the service listens") {
                try server.fixture.logText().contains("listening on ") ? true : nil
            }
            var unready = 0
            try await eventually("the service is ready") {
                let readiness = try await readiness(of: server)
                if readiness.status == 200 { return true }
                #expect(readiness.status == 503)
                unready += 1
                // Whoever is not ready may answer, but never that there is no such app or token.
                let app = try await server.send(.get, "/v1/apps/harbour", as: token)
                #expect([200, 503].contains(app.status), "\(app.json)")
                return nil
            }
            Attachment.record("\(unready) times not ready", named: "readiness.txt")
        }

        private func expectReady(_ server: RunningServer) async throws {
            try await eventually("the service is ready") {
                try await readiness(of: server).status == 200 ? true : nil
            }
        }

        private func readiness(of server: RunningServer) async throws -> Reply {
            try await server.send(.get, "/readyz", as: nil)
        }

        private func rollBack(
            to event: Int64,
            as responder: String,
            at server: RunningServer
        ) async throws -> Reply {
            try await server.send(
                .post,
                "/v1/apps/harbour/rollback",
                as: responder,
                ["to": ["event": .integer(event)], "reason": "It is 03:00."]
            )
        }

        /// Stops the server processes that work for the service, and those that take the place of
        /// one that has just ended.
        private func stopServing(_ database: ScratchDatabaseServer) async throws -> Set<Int32> {
            let session = try await Session.open(database.connection)
            var stopped: Set<Int32> = []
            while true {
                let rows = try await session.query(
                    """
                    SELECT pid FROM pg_stat_activity
                    WHERE application_name LIKE 'plimsoll%' AND pid <> pg_backend_pid()
                    """
                )
                let found = try rows.map { try $0.value(at: 0, as: Int32.self) }
                if stopped.isSuperset(of: found) { break }
                for process in found { _ = kill(process, SIGSTOP) }
                stopped.formUnion(found)
            }
            await session.close()
            return stopped
        }
    }
}
