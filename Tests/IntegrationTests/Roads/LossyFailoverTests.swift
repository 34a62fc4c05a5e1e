import Foundation
import Glibc
import PlimsollAPI
import PlimsollJSON
import PlimsollPostgres
import PlimsollTestSupport
import Synchronization
import Testing

extension ServiceTests {
    /// A database that comes back without its last events, under services that go on running.
    @Suite(.timeLimit(.minutes(30))) struct LossyFailoverTests {
        /// How long an instance may need from the first answer of the shorter log.
        private static let patience: Duration = .seconds(2)

        @Test func `a service whose database lost events reads only, and says what is missing`()
            async throws
        {
            try await on(1) { servers, database, fixture in
                try await loseEvents(of: servers, database)
                let server = servers[0]
                let token = try fixture.adminToken()
                let read = try await server.send(.get, "/v1/apps/harbour", as: token)
                #expect(read.status == 200)
                #expect(read.answer.header("Plimsoll-Read-Only") == "log-behind")
                let metrics = try await fixture.transport.send(
                    WebRequest(.get, "http://\(server.rest())/metrics")
                )
                let text = String(decoding: metrics.body, as: UTF8.self)
                #expect(text.contains("plimsoll_log_read_only 1"))
                #expect(try await server.phone().status == 200)
                try await expectFound(fixture, database)
            }
        }

        // Goal: whatever the moment, nothing is acknowledged on the log that lacks what was.
        // Method: both instances write without a pause while the server stops and an earlier copy of
        // it starts; again and again, each time on a database of its own.
        @Test(arguments: [1, 2])
        func `nothing is acknowledged on a log that lost events`(instances: Int) async throws {
            var latched: [Duration] = []
            for _ in 1...Trial.deaths {
                try await on(instances) { servers, database, _ in
                    latched.append(try await loseEvents(of: servers, database))
                }
            }
            Attachment.record("\(latched)", named: "latched.txt")
            // A busy machine may hold up one of them.
            #expect(latched.sorted().dropLast().allSatisfy { $0 < Self.patience }, "\(latched)")
            #expect(latched.allSatisfy { $0 < .seconds(20) }, "\(latched)")
        }

        // Goal: an instance that never read what was lost misses it too. Method: it is frozen while
        // another one writes and publishes, and wakes when that one is gone, and those events.
        @Test func `what another instance published is missed by one that had not read it`()
            async throws
        {
            try await on(2) { servers, database, fixture in
                let team = try await servers[0].admit("proposer", "proposer")
                try await servers.know(team)
                _ = try await servers[0].settle()
                let (kept, base) = (try await database.logEnd(), try await servers[0].head())
                try await database.keepCopy()
                for server in servers { try await server.waitForReadiness() }
                servers[1].send(SIGSTOP)
                // A stopped process would be waited for.
                defer { servers[1].send(SIGCONT) }
                let lost = try await servers[0].write("lost", on: base, as: team)
                #expect(lost.status == 201, "\(lost.json)")
                let end = try await database.logEnd()
                let checkpoint = fixture.data.appending(path: "export/log/checkpoint")
                let published = try await eventually("the log is published") {
                    guard let bytes = try? Data(contentsOf: checkpoint) else { return Data?.none }
                    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
                    return lines.dropFirst().first.flatMap { Int64($0) } ?? 0 >= end ? bytes : nil
                }
                servers[0].send(SIGKILL)
                try await database.goBack()
                servers[1].send(SIGCONT)
                try await servers[1].waitForLatch()
                let refused = try await servers[1].write("late", on: base, as: team)
                #expect(refused.status == 503 && refused.isLost, "\(refused.json)")
                #expect(try await database.logEnd() == kept)
                #expect(try Data(contentsOf: checkpoint) == published)
            }
        }

        /// Has all write, and the database lose some of that; answers how long they needed to say so.
        @discardableResult
        private func loseEvents(
            of servers: [RunningServer],
            _ database: ScratchDatabaseServer
        ) async throws -> Duration {
            // One each, since the open changes of one person have an end.
            var teams: [String] = []
            for number in servers.indices {
                teams.append(try await servers[0].admit("proposer \(number)", "proposer"))
                try await servers.know(teams[number])
            }
            // What nobody asked for any more is written by then.
            _ = try await servers[0].settle()
            let kept = try await database.logEnd()
            try await database.keepCopy()
            for server in servers { try await server.waitForReadiness() }
            let answers = Answers(base: try await servers[0].head())
            let closing = Closing()
            let latched = try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, server) in servers.enumerated() {
                    let team = teams[number]
                    for lane in 1...2 {
                        group.addTask(name: "writer \(number).\(lane)") {
                            try await write(
                                at: server,
                                number,
                                as: team,
                                answers,
                                until: closing
                            )
                        }
                    }
                }
                // Whoever knows nothing that is lost has nothing to miss.
                try await eventually("each wrote") {
                    servers.indices.allSatisfy { answers.count(at: $0) > 10 } ? () : nil
                }
                let before = try await database.logEnd()
                try #require(before > kept)
                try await database.goBack { answers.isOver = true }
                let back = ContinuousClock.now
                for server in servers { try await server.waitForLatch() }
                let latched = ContinuousClock.now - back
                closing.call()
                try await group.waitForAll()
                return latched
            }
            #expect(answers.late == [])
            // Whoever latched stays so.
            for (server, team) in zip(servers, teams) {
                let refused = try await server.write("late", on: answers.base, as: team)
                #expect(refused.status == 503)
                #expect(refused.isLost)
            }
            #expect(try await database.logEnd() == kept)
            return latched
        }

        private func write(
            at server: RunningServer,
            _ place: Int,
            as token: String,
            _ answers: Answers,
            until closing: Closing
        ) async throws {
            var number = 0
            while !closing.isDue {
                number += 1
                do {
                    let title = "\(UUID().uuidString) \(number)"
                    let isLate = answers.isOver
                    let reply = try await server.write(title, on: answers.base, as: token)
                    if reply.status == 201 { answers.note(title, at: place, isLate: isLate) }
                    guard reply.status == 429 || reply.status == 503 else { continue }
                } catch let error as AdminError where error.problem == nil {
                    #expect(server.isAlive)
                }
                try await Task.sleep(for: .milliseconds(20))
            }
        }

        /// What an operator finds, and puts up again.
        private func expectFound(
            _ fixture: ServerFixture,
            _ database: ScratchDatabaseServer
        ) async throws {
            let folder = fixture.folder.appending(path: "lost")
            let place = [
                "--data", fixture.data.path, "--database-url",
                "host=\(database.folder) user=postgres dbname=postgres",
            ]
            let found = try await Program.run(
                try Program.plimsoll(),
                ["diverged", "--out", folder.path, "--format", "table"] + place
            )
            #expect(found.status == 3, "\(found.errors)")
            #expect(found.output.contains("acknowledged commands are missing"))
            #expect(found.output.contains("next: plimsoll propose --app harbour --file"))
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(files.contains("missing.ndjson"))
            let changes = files.filter { $0.hasPrefix("change-") }
            #expect(!changes.isEmpty)
            let file = try Data(contentsOf: folder.appending(path: try #require(changes.first)))
            let form = try JSONValue(parsing: Array(file), limits: JSONLimits(sizeMaximum: 1 << 16))
            #expect(form["operations"]?.array?.count == 1)
        }

        private func on(
            _ instances: Int,
            _ body: ([RunningServer], ScratchDatabaseServer, ServerFixture) async throws -> Void
        ) async throws {
            try await ScratchDatabaseServer.with { database in
                try await ServerFixture.with { fixture in
                    let fixture = fixture.on("host=\(database.folder) user=postgres")
                    try await fixture.run { first in
                        guard instances == 2 else {
                            return try await body([first], database, fixture)
                        }
                        try await fixture.named("second").run { second in
                            try await body([first, second], database, fixture)
                        }
                    }
                }
            }
        }
    }
}

/// What was acknowledged, and what of it when it could not have been any more.
private final class Answers: Sendable {
    private struct State {
        var counts: [Int: Int] = [:]
        var isOver = false
        var late: [String] = []
    }

    /// What all that is written is based on.
    let base: Int64
    private let state = Mutex(State())

    init(base: Int64) {
        self.base = base
    }

    var late: [String] { state.withLock(\.late) }
    /// Whether the server is gone that could acknowledge.
    var isOver: Bool {
        get { state.withLock(\.isOver) }
        set { state.withLock { $0.isOver = newValue } }
    }

    /// How many an instance has acknowledged.
    func count(at place: Int) -> Int { state.withLock { $0.counts[place, default: 0] } }

    /// Takes one that was asked for when the server was gone already, or before.
    func note(_ title: String, at place: Int, isLate: Bool) {
        state.withLock { state in
            state.counts[place, default: 0] += 1
            if isLate { state.late.append(title) }
        }
    }
}

extension Reply {
    fileprivate var isLost: Bool {
        ["/problems/log-behind", "/problems/log-forked"].contains(json["type"]?.string)
    }
}

extension RunningServer {
    fileprivate func write(
        _ title: String,
        on base: Int64,
        as token: String
    ) async throws -> Reply {
        try await propose(
            [Edits.setText("ios", "description", "fr", title)],
            titled: title,
            base: base,
            as: token
        )
    }

    fileprivate func waitForReadiness() async throws {
        try await eventually("it is ready") {
            try await send(.get, "/readyz", as: nil).status == 200 ? () : nil
        }
    }

    fileprivate func waitForLatch() async throws {
        try await eventually("it reads only") {
            let ready = try await send(.get, "/readyz", as: nil)
            return ready.status == 503 && ready.isLost ? () : nil
        }
    }
}

extension ScratchDatabaseServer {
    /// The last position, by the database itself.
    fileprivate func logEnd() async throws -> Int64 {
        let session = try await Session.open(connection)
        let row = try await session.first("SELECT max(position) FROM log.event")
        await session.close()
        return try row?.value(at: 0, as: Int64?.self) ?? 0
    }
}
