import Foundation
import PlimsollAPI
import PlimsollJSON
import PlimsollTestSupport
import Testing

extension ServiceTests {
    /// Two instances that reach their database over networks that fail, each over its own.
    @Suite struct PartitionTests {
        private struct Instance {
            let server: RunningServer
            let network: FaultProxy
        }

        struct Fault: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let strike: @Sendable (FaultProxy) -> Void
        }

        private static let faults = [
            Fault(testDescription: "cut off") { $0.cut() },
            Fault(testDescription: "half open") { $0.abandon() },
            Fault(testDescription: "slow") { $0.slow(by: .milliseconds(150)) },
        ]
        private static let tooSlow = Fault(testDescription: "too slow") {
            $0.slow(by: .milliseconds(700))
        }

        // Method: whoever leads gets the fault. A change is approved at the other one, and a phone
        // there reads it; meanwhile somebody proposes there without a pause. Once both know of it,
        // whoever leads then gets another fault.
        @Test(arguments: zip(faults, faults.dropFirst() + faults.prefix(1)))
        func `whatever becomes of the leader's network, phones and writers go on`(
            fault: Fault,
            another: Fault
        ) async throws {
            try await outlive([fault, another])
        }

        // Method: the same. It takes nearly as long as it may on an idle machine.
        @Test(.alone) func `phones and writers go on though the leader's network is too slow`()
            async throws
        {
            try await outlive([Self.tooSlow])
        }

        private func outlive(_ faults: [Fault]) async throws {
            try await two { first, second in
                let proposer = try await first.server.admit("proposer", "proposer")
                let approver = try await first.server.admit("approver", "approver")
                let writer = try await first.server.admit("writer", "proposer")
                for token in [proposer, approver, writer] {
                    try await [first.server, second.server].know(token)
                }
                var report: [String] = []
                for fault in faults {
                    let times = try await expect(below: .seconds(5), .seconds(3)) {
                        let (leader, other) = try await roles(first, second)
                        fault.strike(leader.network)
                        let (published, waited) = try await publish(
                            UUID().uuidString,
                            at: other.server,
                            proposer,
                            approver,
                            beside: writer
                        )
                        leader.network.heal()
                        try await bothKnow(leader.server, other.server)
                        return [published, waited]
                    }
                    report.append("\(fault.testDescription): published, waited \(times)")
                }
                Attachment.record(report.joined(separator: "\n"), named: "faults.txt")
                let events = try await second.server.settle()
                expectDense(events)
                let published = events.filter { $0["type"]?.string == "SnapshotPublished" }
                    .compactMap { $0["data"]?["sequence"]?.integer }
                #expect(published == published.sorted())
                #expect(Set(published).count == published.count)
            }
        }

        /// Returns once the one that led answers what happened at the other meanwhile.
        private func bothKnow(_ leader: RunningServer, _ other: RunningServer) async throws {
            let head = try await other.head()
            let token = try leader.fixture.adminToken()
            // Its lists too, which come back when the last connection that is dead was given up.
            let list = "/v1/apps/harbour/changes?limit=1&atLeast=\(head)"
            try await eventually("both know what happened") {
                let reply = try await leader.send(.get, list, as: token)
                return reply.status == 200 ? () : nil
            }
        }

        /// Who leads, and who does not.
        private func roles(
            _ first: Instance,
            _ second: Instance
        ) async throws -> (leader: Instance, other: Instance) {
            try await eventually("one of two leads") {
                let leads = (
                    try await first.server.isLeading(), try await second.server.isLeading()
                )
                return switch leads {
                case (true, false): (first, second)
                case (false, true): (second, first)
                default: nil
                }
            }
        }

        /// Has a text applied; answers how long a phone waited for it, and a writer meanwhile.
        private func publish(
            _ text: String,
            at server: RunningServer,
            _ proposer: String,
            _ approver: String,
            beside writer: String
        ) async throws -> (published: Duration, waited: Duration) {
            let closing = Closing()
            return try await withThrowingTaskGroup(of: Duration.self) { group in
                group.addTask(name: "writer") {
                    try await write(at: server, as: writer, until: closing)
                }
                let start = ContinuousClock.now
                let proposed = try await server.propose(
                    [Edits.setText("ios", "description", "fr", text)],
                    as: proposer
                )
                #expect(proposed.status == 201, "\(proposed.json)")
                let approved = try await server.decide("approve", on: proposed, as: approver)
                #expect(approved.status == 200, "\(approved.json)")
                try await eventually("a phone reads \(text)") {
                    try await server.published().text("fr") == text ? () : nil
                }
                let published = ContinuousClock.now - start
                closing.call()
                return (published, try await group.next() ?? .zero)
            }
        }

        /// Proposes and withdraws without a pause; answers how long the longest took.
        private func write(
            at server: RunningServer,
            as token: String,
            until closing: Closing
        ) async throws -> Duration {
            var longest = Duration.zero
            let base = try await server.head()
            while !closing.isDue {
                let start = ContinuousClock.now
                let proposed = try await server.propose(
                    [Edits.setText("android", "description", "fr", "\(start)")],
                    titled: UUID().uuidString,
                    base: base,
                    as: token
                )
                longest = max(longest, .now - start)
                #expect(proposed.status == 201, "\(proposed.json)")
                let middle = ContinuousClock.now
                let withdrawn = try await server.decide("withdraw", on: proposed, as: token)
                longest = max(longest, .now - middle)
                #expect(withdrawn.status == 200, "\(withdrawn.json)")
            }
            return longest
        }

        private func two(_ body: (Instance, Instance) async throws -> Void) async throws {
            try await ScratchDatabaseServer.with { database in
                let socket = "\(database.folder)/.s.PGSQL.5432"
                try await FaultProxy.with(to: socket) { one, onePort in
                    try await FaultProxy.with(to: socket) { other, otherPort in
                        try await ServerFixture.with { fixture in
                            let near = fixture.on(Self.address(onePort))
                            let far = fixture.named("second").on(Self.address(otherPort))
                            try await near.run { first in
                                try await far.run { second in
                                    try await body(
                                        Instance(server: first, network: one),
                                        Instance(server: second, network: other)
                                    )
                                }
                            }
                        }
                    }
                }
            }
        }

        private static func address(_ port: Int) -> String {
            "host=127.0.0.1 port=\(port) user=postgres dbname=postgres sslmode=disable"
        }
    }
}
