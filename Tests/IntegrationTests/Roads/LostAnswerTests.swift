import Glibc
import PlimsollAPI
import PlimsollJSON
import Subprocess
import Testing

extension ServiceTests {
    /// What becomes of a write whose author never heard of it.
    @Suite struct LostAnswerTests {
        @Test func `a write whose connection broke is sent again and done once`() async throws {
            try await ServerFixture.with { fixture in
                try await fixture.run { server in
                    let author = try await Author(at: server)
                    for lost in [Wire.Direction.request, .answer] {
                        for verb in Author.Verb.allCases {
                            let step = try await author.step(verb, "\(verb)-\(lost)", at: server)
                            try await author.lose(step, lost, at: server)
                            let before = try await author.count(verb, at: server)
                            try await expectOnce(step, author, at: server)
                            let after = try await author.count(verb, at: server)
                            #expect(after - before == (lost == .request ? 1 : 0), "\(step)")
                        }
                    }
                }
            }
        }

        @Test func `a write whose service died is sent again and done once`() async throws {
            try await ServerFixture.with { fixture in
                var author: Author?
                try await fixture.run { author = try await Author(at: $0) }
                let people = try #require(author)
                for verb in Author.Verb.allCases {
                    var lost: Author.Step?
                    let end = try await fixture.run { server in
                        let step = try await people.step(verb, "\(verb)", at: server)
                        try await people.lose(step, .answer, at: server) { server.send(SIGKILL) }
                        lost = step
                    }
                    #expect(end == .signaled(SIGKILL))
                    let step = try #require(lost)
                    try await fixture.run { server in
                        #expect(try await people.count(verb, at: server) == 1)
                        try await expectOnce(step, people, at: server)
                        #expect(try await people.count(verb, at: server) == 1)
                    }
                }
            }
        }

        @Test func `without a key the record tells what became of a write`() async throws {
            try await ServerFixture.with { fixture in
                try await fixture.run { server in
                    let author = try await Author(at: server)
                    for lost in [Wire.Direction.request, .answer] {
                        for verb in Author.Verb.allCases {
                            let step = try await author.step(verb, nil, at: server)
                            let before = try await author.count(verb, at: server)
                            try await author.lose(step, lost, at: server)
                            let isDone = lost == .answer
                            let after = try await author.count(verb, at: server)
                            #expect(after - before == (isDone ? 1 : 0), "\(verb), \(lost)")
                            if !isDone {
                                #expect(try await author.take(step, at: server).status < 300)
                            }
                        }
                    }
                }
            }
        }

        /// Sends the step again, several times at once: all get one answer.
        private func expectOnce(
            _ step: Author.Step,
            _ author: Author,
            at server: RunningServer
        ) async throws {
            let replies = try await withThrowingTaskGroup(of: Reply.self) { group in
                for _ in 1...4 {
                    group.addTask(name: "again") { try await author.take(step, at: server) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let first = try #require(replies.first)
            #expect(first.status < 300, "\(first.json)")
            for reply in replies { #expect(reply.outcome == first.outcome) }
        }
    }
}

extension Reply {
    /// All that an answer has in common with its repetitions: what else a rollback did is worked
    /// out on the state before it, and told once.
    fileprivate var outcome: JSONValue {
        guard var object = json.object else { return json }
        object["sideEffects"] = nil
        return .object(object)
    }
}

/// Who proposes a change, approves it and takes it back.
private struct Author: Sendable {
    enum Verb: CaseIterable {
        case propose
        case approve
        case rollBack

        /// What the record has of it.
        var event: String {
            switch self {
            case .propose: "ChangeProposed"
            case .approve: "ChangeApplied"
            case .rollBack: "RolledBack"
            }
        }
    }

    struct Step: Sendable {
        let verb: Verb
        let key: String?
        /// Where the log stood when its author looked.
        let base: Int64
        /// What is approved, as it was seen.
        let change: Reply?
    }

    private let proposer: String
    private let approver: String
    private let responder: String
    private let base: Int64
    private let before: [Verb: Int]

    init(at server: RunningServer) async throws {
        proposer = try await server.admit("alice", "proposer")
        approver = try await server.admit("bob", "approver")
        responder = try await server.admit("rita", "responder")
        base = try await server.head()
        let events = try await server.events(as: try server.fixture.adminToken())
        before = Dictionary(
            uniqueKeysWithValues: Verb.allCases.map { verb in
                (verb, events.count { $0["type"]?.string == verb.event })
            }
        )
    }

    /// How often it was done since, as the record has it.
    func count(_ verb: Verb, at server: RunningServer) async throws -> Int {
        let token = try server.fixture.adminToken()
        let events = try await server.events("&type=\(verb.event)", as: token)
        return events.count - (before[verb] ?? 0)
    }

    /// A step as its author has it in mind, before it is sent.
    func step(_ verb: Verb, _ key: String?, at server: RunningServer) async throws -> Step {
        Step(
            verb: verb,
            key: key,
            base: try await server.head(),
            change: verb == .approve ? try await newestChange(at: server) : nil
        )
    }

    /// Takes a step whose request or answer is cut on the way.
    func lose(
        _ step: Step,
        _ lost: Wire.Direction,
        at server: RunningServer,
        _ blow: @escaping @Sendable () -> Void = {}
    ) async throws {
        let address = try server.rest()
        let port = try #require(address.split(separator: ":").last.flatMap { Int($0) })
        try await Wire.with(to: .port(port)) { wire in
            var distant = server
            distant.door = "127.0.0.1:\(wire.port)"
            wire.cut(lost, blow)
            let error = await #expect(throws: AdminError.self) {
                _ = try await take(step, at: distant)
            }
            #expect(error?.leavesOutcomeOpen == true)
            #expect(wire.isCut)
        }
    }

    func take(_ step: Step, at server: RunningServer) async throws -> Reply {
        switch step.verb {
        case .propose:
            return try await server.propose(
                [Edits.setText("ios", "description", "fr", "Bonjour, event \(step.base)")],
                titled: "Greet",
                base: step.base,
                as: proposer,
                key: step.key
            )
        case .approve:
            let change = try #require(step.change)
            return try await server.decide("approve", on: change, as: approver, key: step.key)
        case .rollBack:
            return try await server.send(
                .post,
                "/v1/apps/harbour/rollback",
                as: responder,
                ["to": ["event": .integer(base)], "reason": "A test needs it."],
                headers: step.key.map { [("Idempotency-Key", $0)] } ?? []
            )
        }
    }

    /// The newest change, as anybody finds it who was not answered.
    private func newestChange(at server: RunningServer) async throws -> Reply {
        let list = try await server.list("/v1/apps/harbour/changes?limit=1", as: proposer)
        let id = try #require(list.json["changes"]?.array?.first?["id"]?.string)
        return try await server.list("/v1/changes/\(id)", as: proposer)
    }
}
