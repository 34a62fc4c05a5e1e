import PlimsollAPI
import PlimsollJSON
import PlimsollPostgres
import PlimsollTestSupport
import Testing

extension ServiceTests {
    @Suite struct WritersTests {
        // Goal: eight writers at two processes leave positions 1…N and dense revisions, and nobody
        // who follows ever sees a hole.
        // Method: each process is followed through REST, and the table itself in SQL that relies
        // on nothing of ours, from the first event to the last while it is being written.
        @Test func `eight writers at two processes leave no gap and no repeat`() async throws {
            try await ScratchDatabaseServer.with { database in
                try await ServerFixture.with { fixture in
                    let fixture = fixture.on("host=\(database.folder) user=postgres")
                    try await fixture.run { first in
                        try await fixture.named("second").run { second in
                            try await write(at: [first, second], database)
                            let same = try await eventually("one document at both") {
                                let served = try await first.published().answer.body
                                let other = try await second.published().answer.body
                                return served == other ? true : nil
                            }
                            #expect(same)
                        }
                    }
                }
            }
        }

        private func write(
            at servers: [RunningServer],
            _ database: ScratchDatabaseServer
        ) async throws {
            let ledger = Ledger()
            let crew = try await Worker.crew(8, at: servers[0], ledger)
            for worker in crew { try await servers.know(worker.approver) }
            let (closing, over) = (Closing(), Closing())
            async let ends = follow(servers, database, over)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, worker) in crew.enumerated() {
                    group.addTask(name: "writer") {
                        try await worker.work(at: servers[number % servers.count]) {
                            !closing.isDue
                        }
                    }
                }
                try await Task.sleep(for: .seconds(10))
                closing.call()
                try await group.waitForAll()
            }
            let written = try await servers[0].settle().count
            over.call()
            for end in try await ends { #expect(end >= Int64(written)) }

            let events = try await servers[1].events(as: try servers[1].fixture.adminToken())
            expectDense(events)
            ledger.expectKept(in: events)
            for worker in crew { #expect(ledger.open(in: worker.language).isEmpty) }
            #expect(Set(ledger.applied.map(\.language)).count == crew.count)
            try await servers[1].fixture.expectVerified()
            let sentence = "\(ledger.applied.count) changes, \(events.count) events"
            Attachment.record(sentence, named: "writers.txt")
        }

        /// How far each reader came; each fails the test at the first hole.
        private func follow(
            _ servers: [RunningServer],
            _ database: ScratchDatabaseServer,
            _ over: Closing
        ) async throws -> [Int64] {
            try await withThrowingTaskGroup(of: Int64.self) { group in
                for server in servers {
                    group.addTask(name: "reader") { try await follow(server, over) }
                }
                group.addTask(name: "reader of the table") { try await follow(database, over) }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }

        private func follow(_ server: RunningServer, _ over: Closing) async throws -> Int64 {
            let token = try server.fixture.adminToken()
            var numbering = Numbering()
            while true {
                let isOver = over.isDue
                let path = "/v1/events?order=oldest&limit=1000&since=\(numbering.last + 1)"
                let page = try await server.list(path, as: token)
                let events = page.json["events"]?.array ?? []
                for event in events {
                    let isNext = numbering.take(event)
                    try #require(isNext, "\(event)")
                }
                if isOver, events.isEmpty { return numbering.last }
            }
        }

        private func follow(
            _ database: ScratchDatabaseServer,
            _ over: Closing
        ) async throws -> Int64 {
            let session = try await Session.open(database.connection)
            var numbering = Numbering()
            while true {
                let isOver = over.isDue
                let rows = try await session.query(
                    """
                    SELECT position, stream, revision FROM log.event
                    WHERE position > \(numbering.last) ORDER BY position LIMIT 1000
                    """
                )
                for row in rows {
                    let (position, stream, revision) = try row.decode(
                        (Int64, String, Int64).self
                    )
                    let isNext = numbering.take(position, stream, revision)
                    try #require(isNext, "\(position), \(stream), \(revision)")
                }
                if isOver, rows.isEmpty { break }
            }
            await session.close()
            return numbering.last
        }
    }
}
