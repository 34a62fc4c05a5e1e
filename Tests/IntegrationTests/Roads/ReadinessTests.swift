import Foundation
import PlimsollAPI
import PlimsollJSON
import PlimsollTestSupport
import Testing

extension ServiceTests {
    /// What those hear who decide whether an instance gets requests.
    @Suite struct ReadinessTests {
        // Method: twenty people propose and withdraw without a pause, as far as two hundred writes a
        // second, and `/readyz` is asked all the while.
        @Test(.alone)
        func `an instance under ordinary writes is ready all the time`() async throws {
            try await ServerFixture.with { fixture in
                try await fixture.run(environment: ["PLIMSOLL_REQUESTS_PER_MINUTE": "60000"]) {
                    server in
                    let people = try await people(at: server)
                    let base = try await server.head()
                    let closing = Closing()
                    let start = ContinuousClock.now
                    var (asked, slowest) = (0, Duration.zero)
                    let writes = try await withThrowingTaskGroup(of: Int.self) { group in
                        for token in people {
                            group.addTask(name: "writer") {
                                try await write(at: server, base, as: token, until: closing)
                            }
                        }
                        while ContinuousClock.now - start < .seconds(15) {
                            let began = ContinuousClock.now
                            let reply = try await server.send(.get, "/readyz", as: nil)
                            #expect(reply.status == 200, "\(reply.json)")
                            slowest = max(slowest, .now - began)
                            asked += 1
                        }
                        closing.call()
                        return try await group.reduce(0, +)
                    }
                    let rate = Double(writes) / ((ContinuousClock.now - start) / .seconds(1))
                    Attachment.record(
                        "\(writes) writes, \(rate) a second; asked \(asked) times, slowest \(slowest)",
                        named: "readiness.txt"
                    )
                    #expect(writes > 100)
                }
            }
        }

        // Method: the database is frozen, so that whatever asks it waits.
        @Test(.alone)
        func `whether it is ready is answered at once while the database says nothing`()
            async throws
        {
            try await ScratchDatabaseServer.with { database in
                try await ServerFixture.with { fixture in
                    try await fixture.on("host=\(database.folder) user=postgres").run { server in
                        let proposer = try await server.admit("proposer", "proposer")
                        // First the one that starts others, and sees to those that have ended.
                        try await database.signal("STOP")
                        let processes = try await backends(database)
                        for process in processes {
                            try await database.signal("STOP", process: process)
                        }
                        var waits: [Duration] = []
                        try await eventually("the service has noticed") {
                            let start = ContinuousClock.now
                            let reply = try await server.send(.get, "/readyz", as: nil)
                            waits.append(.now - start)
                            return reply.status == 503 ? () : nil
                        }
                        // The first ones wait for as long as a database takes that is started again.
                        let base: Int64 = 1
                        try await expectRefusals(at: server, base, as: proposer)
                        for process in processes {
                            try await database.signal("CONT", process: process)
                        }
                        try await database.signal("CONT")
                        try await eventually("the service is ready again") {
                            try await server.send(.get, "/readyz", as: nil).status == 200 ? () : nil
                        }
                        let median = waits.sorted()[waits.count / 2]
                        Attachment.record("median \(median)", named: "readyz.txt")
                        #expect(median < .milliseconds(200))
                    }
                }
            }
        }

        /// The server's processes that the service speaks to.
        private func backends(_ database: ScratchDatabaseServer) async throws -> [Int] {
            let found = try await output(of: "pgrep", ["-P", try postmaster(database)])
            return found.split(separator: "\n").compactMap { Int($0) }
        }

        private func postmaster(_ database: ScratchDatabaseServer) throws -> String {
            let path = "\(database.folder)/data/postmaster.pid"
            let text = try String(contentsOfFile: path, encoding: .utf8)
            return String(try #require(text.split(separator: "\n").first))
        }

        /// Once the outage is known all are refused within a second, and `/readyz` says so at once.
        private func expectRefusals(
            at server: RunningServer,
            _ base: Int64,
            as token: String
        ) async throws {
            let edits: JSONValue = [Edits.setText("ios", "description", "fr", "Bonjour.")]
            var (waits, looks): ([Duration], [Duration]) = ([], [])
            for _ in 1...101 {
                let start = ContinuousClock.now
                let reply = try await server.propose(edits, base: base, as: token)
                waits.append(.now - start)
                #expect(reply.status == 503, "\(reply.json)")
                #expect(reply.answer.header("Retry-After") != nil)
                let looked = ContinuousClock.now
                #expect(try await server.send(.get, "/readyz", as: nil).status == 503)
                looks.append(.now - looked)
            }
            let known = waits.dropFirst().sorted()
            Attachment.record(
                "the first \(waits[0]), then p99 \(known[98]); readyz \(looks.max() ?? .zero)",
                named: "refusals.txt"
            )
            #expect(known[98] < .seconds(1))
            #expect(looks.sorted()[95] < .milliseconds(200))
        }

        private func people(at server: RunningServer) async throws -> [String] {
            var tokens: [String] = []
            for number in 1...20 {
                tokens.append(try await server.admit("proposer \(number)", "proposer"))
            }
            return tokens
        }

        /// Ten writes a second at most; answers how many there were.
        private func write(
            at server: RunningServer,
            _ base: Int64,
            as token: String,
            until closing: Closing
        ) async throws -> Int {
            var count = 0
            while !closing.isDue {
                let next = ContinuousClock.now + .milliseconds(200)
                let proposed = try await server.propose(
                    [Edits.setText("ios", "description", "fr", "\(next)")],
                    titled: UUID().uuidString,
                    base: base,
                    as: token
                )
                #expect(proposed.status == 201, "\(proposed.json)")
                let withdrawn = try await server.decide("withdraw", on: proposed, as: token)
                #expect(withdrawn.status == 200, "\(withdrawn.json)")
                count += 2
                try await Task.sleep(until: next)
            }
            return count
        }
    }
}
