import Foundation
import Glibc
import PlimsollAPI
import PlimsollJSON
import PlimsollTestSupport
import Testing

extension ServiceTests {
    /// Two instances on one database, of which one is stopped in the midst of what it does: to the
    /// other, and to the database, it is as if its machine slept.
    @Suite struct FrozenInstanceTests {
        private static let patience: Duration = .seconds(6)

        // Method: both write without a pause, so that each is overtaken all the time. One is stopped
        // again and again at any moment, for longer than anybody may have to wait.
        @Test func `writers go on while an instance is frozen in the midst of its appends`()
            async throws
        {
            try await two { first, second in
                let team = try await first.admit("proposer", "proposer")
                try await [first, second].know(team)
                let closing = Closing()
                let waits = try await withThrowingTaskGroup(of: Duration?.self) { group in
                    for (number, server) in [first, first, second, second].enumerated() {
                        group.addTask(name: "writer \(number)") {
                            let isFrozen = server.processID == first.processID
                            let longest = try await propose(
                                at: server,
                                as: team,
                                isFrozen: isFrozen,
                                until: closing
                            )
                            return isFrozen ? nil : longest
                        }
                    }
                    for _ in 1...6 {
                        try await Task.sleep(for: .milliseconds(Int.random(in: 150...350)))
                        first.send(SIGSTOP)
                        try await Task.sleep(for: Self.patience + .seconds(1))
                        first.send(SIGCONT)
                    }
                    closing.call()
                    return try await group.reduce(into: [Duration]()) {
                        $0 += [$1].compactMap(\.self)
                    }
                }
                let longest = try #require(waits.max())
                Attachment.record("\(longest)", named: "longest-wait.txt")
                #expect(longest < Self.patience)
                // A busy machine may hold up one of the two writers.
                #expect(waits.contains { $0 < .seconds(3) }, "\(waits)")
                expectDense(try await second.settle())
            }
        }

        // Method: the one that leads is frozen, and the other one publishes; it wakes, and so again. At
        // last the one that leads is killed. A phone at the one that lives sees each change.
        @Test(.alone)
        func `another instance publishes within five seconds, whatever became of the leader`()
            async throws
        {
            try await two { first, second in
                let proposer = try await first.admit("proposer", "proposer")
                let approver = try await first.admit("approver", "approver")
                for token in [proposer, approver] { try await [first, second].know(token) }
                var (report, sequences): ([Duration], [Int64]) = ([], [])
                for number in 1...4 {
                    let (leader, other) = try await roles(first, second)
                    leader.send(number < 4 ? SIGSTOP : SIGKILL)
                    report.append(try await publish("\(number)", at: other, proposer, approver))
                    sequences.append(try await other.published().sequence)
                    guard number < 4 else {
                        expectDense(try await other.settle())
                        continue
                    }
                    leader.send(SIGCONT)
                    let head = try await other.head()
                    try await eventually("the one that woke knows what happened") {
                        try await leader.head() >= head ? () : nil
                    }
                }
                Attachment.record("\(report)", named: "takeover.txt")
                // A busy machine may hold up one of them; a lease that lasts too long, each.
                #expect(report.sorted()[2] < .seconds(5), "\(report)")
                #expect(report.allSatisfy { $0 < .seconds(20) }, "\(report)")
                #expect(sequences == sequences.sorted())
            }
        }

        /// Who leads, and who does not.
        private func roles(
            _ first: RunningServer,
            _ second: RunningServer
        ) async throws -> (leader: RunningServer, other: RunningServer) {
            try await eventually("one of two leads") {
                let leads = (try await first.isLeading(), try await second.isLeading())
                return switch leads {
                case (true, false): (first, second)
                case (false, true): (second, first)
                default: nil
                }
            }
        }

        /// Has a text applied; answers how long it took until a phone reads it.
        private func publish(
            _ text: String,
            at server: RunningServer,
            _ proposer: String,
            _ approver: String
        ) async throws -> Duration {
            let proposed = try await server.propose(
                [Edits.setText("ios", "description", "fr", text)],
                as: proposer
            )
            #expect(proposed.status == 201, "\(proposed.json)")
            let start = ContinuousClock.now
            let approved = try await server.decide("approve", on: proposed, as: approver)
            #expect(approved.status == 200, "\(approved.json)")
            try await eventually("a phone reads \(text)") {
                try await server.published().text("fr") == text ? () : nil
            }
            return .now - start
        }

        private func two(
            _ body: (RunningServer, RunningServer) async throws -> Void
        ) async throws {
            try await ScratchDatabaseServer.with { database in
                try await ServerFixture.with { fixture in
                    let fixture = fixture.on("host=\(database.folder) user=postgres")
                    try await fixture.run { first in
                        // A stopped process would be waited for.
                        defer { first.send(SIGCONT) }
                        try await fixture.named("second").run { second in
                            defer { second.send(SIGCONT) }
                            try await body(first, second)
                        }
                    }
                }
            }
        }

        /// Proposes without a pause; answers how long the longest took.
        ///
        /// What slept with its instance for too long to be answered for is sent again.
        private func propose(
            at server: RunningServer,
            as token: String,
            isFrozen: Bool,
            until closing: Closing
        ) async throws -> Duration {
            var longest = Duration.zero
            let app = try await server.list("/v1/apps/harbour", as: token)
            let base = try #require(app.json["position"]?.integer)
            while !closing.isDue {
                let (start, key) = (ContinuousClock.now, UUID().uuidString)
                let send = {
                    try await server.propose(
                        [Edits.setText("ios", "description", "fr", "\(start)")],
                        titled: key,
                        base: base,
                        as: token,
                        key: key
                    )
                }
                var reply = try await send()
                for _ in 1...5
                where isFrozen && reply.status == 503 && .now - start > Self.patience {
                    reply = try await send()
                }
                longest = max(longest, .now - start)
                guard reply.status != 429 else {
                    try await Task.sleep(for: .milliseconds(20))
                    continue
                }
                #expect(reply.status == 201, "\(reply.json)")
            }
            return longest
        }
    }
}
