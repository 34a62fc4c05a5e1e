import Foundation
import PlimsollAPI
import PlimsollJSON
import Testing

extension ServiceTests {
    @Suite struct FullDiskTests {
        // Goal: a full export folder keeps nobody from deciding and no phone from its document, an
        // operator is told, and room is all it takes.
        @Test func `a full export folder raises an alarm and recovers by itself`() async throws {
            try await ServerFixture.with { fixture in
                let export = fixture.data.appending(path: "export")
                try await SmallDisk.with(export, megabytes: 4) { disk in
                    try await fixture.run { server in
                        let before = try await server.published()
                        try await disk.fill()
                        let change = try await raise(at: server)
                        #expect(change.status == 200, "\(change.json)")
                        let told = try await eventually("the alarm") {
                            try await alarm(at: server) == 1 ? try await failures(at: server) : nil
                        }
                        #expect(told.count == 1)
                        #expect(try await server.published().answer.body == before.answer.body)
                        let ready = try await server.send(.get, "/readyz", as: nil)
                        #expect(ready.status == 200)

                        try disk.makeRoom()
                        let after = try await eventually("the new document") {
                            let served = try await server.published()
                            return served.sequence > before.sequence ? served : nil
                        }
                        #expect(after.minimumApp == "3.2.0")
                        try await server.expectAgreement(with: try await server.settle())
                        try await eventually("the alarm is over") {
                            try await alarm(at: server) == 0 ? () : nil
                        }
                        try await fixture.expectVerified()
                    }
                }
            }
        }

        // The database is on the disk too: nothing new is acknowledged, and nothing is lost. Only
        // root, as in CI, can have such a disk.
        @Test(.enabled(if: SmallDisk.isPossible))
        func `a disk that is full under everything loses nothing`() async throws {
            try await ServerFixture.with { fixture in
                try await SmallDisk.with(fixture.data, megabytes: 200) { disk in
                    let trial = try await Trial(fixture, workers: 4)
                    try await fixture.run { server in
                        try await trial.work(at: server, until: .milliseconds(500)) {
                            try await disk.fill()
                            let served = try await server.published()
                            try await server.expectSigned(served)
                            try await eventually("the database has noticed") {
                                let before = trial.ledger.applied.count
                                try await Task.sleep(for: .milliseconds(500))
                                return trial.ledger.applied.count == before ? true : nil
                            }
                            try disk.makeRoom()
                        }
                        try await trial.conclude(at: server, "full-disk", RandomMoments())
                    }
                }
            }
        }

        private func raise(at server: RunningServer) async throws -> Reply {
            let alice = try await server.admit("alice", "proposer")
            let bob = try await server.admit("bob", "approver")
            let edit = Edits.setValue("ios", "minimumApp", "3.2.0")
            let proposed = try await server.propose([edit], as: alice)
            return try await server.decide("approve", on: proposed, as: bob)
        }

        /// What a monitoring system is told of the sample app's publications.
        private func alarm(at server: RunningServer) async throws -> Int? {
            let metrics = try await server.send(.get, "/metrics", as: nil)
            let series = #"plimsoll_snapshot_failing{app="harbour"} "#
            return String(decoding: metrics.answer.body, as: UTF8.self).split(separator: "\n")
                .first { $0.hasPrefix(series) }
                .flatMap { Int($0.dropFirst(series.count)) }
        }

        /// The recorded failures; `nil` while there is none.
        private func failures(at server: RunningServer) async throws -> [JSONValue]? {
            let token = try server.fixture.adminToken()
            let events = try await server.events("&type=PublicationFailed", as: token)
            return events.isEmpty ? nil : events
        }
    }
}
