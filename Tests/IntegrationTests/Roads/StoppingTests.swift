import Glibc
import PlimsollAPI
import PlimsollJSON
import PlimsollPostgres
import PlimsollTestSupport
import Subprocess
import Testing

extension ServiceTests {
    @Suite struct StoppingTests {
        // Goal: whoever was let in before the service was told to stop gets an answer.
        // Method: a lock on the log holds a proposal until the door is closed to newcomers.
        @Test func `a request that was accepted is answered before the service stops`() async throws
        {
            try await ScratchDatabaseServer.with { database in
                try await ServerFixture.with { fixture in
                    let fixture = fixture.on("host=\(database.folder) user=postgres")
                    var id = ""
                    let end = try await fixture.run { server in
                        let proposed = try await proposal(at: server, across: database)
                        #expect(proposed.status == 201, "\(proposed.json)")
                        id = try #require(proposed.json["id"]?.string)
                    }
                    #expect(end == .exited(0))
                    try await fixture.run { server in
                        let token = try fixture.adminToken()
                        let kept = try await server.send(.get, "/v1/changes/\(id)", as: token)
                        #expect(kept.json["state"]?.string == "proposed", "\(kept.json)")
                    }
                    try await fixture.expectVerified()
                }
            }
        }

        // Method: a connection is kept over the moment at which the service is told to stop.
        @Test func `a kept connection is let go with an answer, and whoever comes is let in`()
            async throws
        {
            try await ServerFixture.with { fixture in
                let end = try await fixture.run(environment: ["PLIMSOLL_STOP_GRACE": "20"]) {
                    server in
                    let client = try await RawClient.connect(to: try server.rest())
                    let request = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
                    let words = try await client.exchange(request) {
                        server.send(SIGTERM)
                        try await eventually("it is not ready any more") {
                            let ready = try await server.send(.get, "/readyz", as: nil)
                            return ready.status == 503 ? () : nil
                        }
                    }
                    let answers = words.split(separator: "HTTP/1.1 ")
                    #expect(answers.count == 2)
                    #expect(answers.allSatisfy { $0.hasPrefix("200") })
                    let isLast = answers.map { $0.lowercased().contains("connection: close") }
                    #expect(isLast == [false, true])
                    let token = try fixture.adminToken()
                    let kept = try await server.send(.get, "/v1/me", as: token)
                    #expect(kept.status == 200)
                }
                #expect(end == .exited(0))
            }
        }

        /// A change that was proposed before the service was told to stop, and written after.
        private func proposal(
            at server: RunningServer,
            across database: ScratchDatabaseServer
        ) async throws -> Reply {
            let proposer = try await server.admit("alice", "proposer")
            let base = try await server.head()
            let (holder, watcher) = (
                try await Session.open(database.connection),
                try await Session.open(database.connection)
            )
            let edits: JSONValue = [Edits.setText("ios", "description", "fr", "Bonjour.")]
            return try await withThrowingTaskGroup(of: Reply.self) { group in
                try await holder.withTransaction { transaction in
                    try await transaction.execute("LOCK TABLE log.event IN EXCLUSIVE MODE")
                    group.addTask(name: "proposal") {
                        try await server.propose(edits, base: base, as: proposer)
                    }
                    try await eventually("the proposal waits for the log") {
                        try await isWaitedFor(watcher) ? true : nil
                    }
                    server.send(SIGTERM)
                    try await eventually("nobody else is let in") {
                        try await isClosed(server) ? true : nil
                    }
                }
                let reply = try await group.next()
                await holder.close()
                await watcher.close()
                return try #require(reply)
            }
        }

        /// Whether a client's command waits; those of the exporter go in by another way.
        private func isWaitedFor(_ watcher: Session) async throws -> Bool {
            let rows = try await watcher.query(
                """
                SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid)
                WHERE relation = 'log.event'::regclass AND NOT granted
                AND query ~ 'append_(one|plain)'
                """
            )
            return try rows.first?.decode(Int64.self) != Int64(0)
        }

        private func isClosed(_ server: RunningServer) async throws -> Bool {
            do {
                _ = try await server.send(.get, "/healthz", as: nil)
                return false
            } catch is AdminError {
                return true
            }
        }
    }
}
