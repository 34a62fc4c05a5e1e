import Foundation
import Glibc
import PlimsollAdmin
import PlimsollJSON
import Subprocess
import Testing

extension ServiceTests {
    /// Whatever dies, what was acknowledged is there once, and nothing else.
    ///
    /// `PLIMSOLL_KILLS` says how often each kind of death is died; 5 times without it.
    @Suite(.timeLimit(.minutes(60))) struct KillTests {
        private let kills =
            ProcessInfo.processInfo.environment["PLIMSOLL_KILLS"].flatMap { Int($0) } ?? 5

        // Goal: no step of a publication leaves something half done behind.
        // Method: the service kills itself at the n-th step it takes after its start.
        @Test func `a service that dies at a step of an approval loses nothing`() async throws {
            try await ServerFixture.with { fixture in
                let ledger = Ledger()
                let crew = try await crew(1, fixture, ledger)
                for number in 1...kills {
                    let point = ["PLIMSOLL_FAULT_POINT": "*:\(1 + (number - 1) * 3 % 40)"]
                    let end = try await fixture.run(.started, environment: point) { server in
                        try await work(crew, until: .seconds(5), at: server)
                    }
                    #expect(end == .signaled(SIGKILL), "\(point)")
                    try await expectWhole(fixture, ledger)
                }
                #expect(!ledger.applied.isEmpty)
                Attachment.record("\(ledger.applied.count) of \(ledger.all.count)", named: "ledger")
            }
        }

        @Test func `a service that is killed at any moment loses nothing`() async throws {
            try await ServerFixture.with { fixture in
                let ledger = Ledger()
                let crew = try await crew(4, fixture, ledger)
                for _ in 1...kills {
                    let end = try await fixture.run { server in
                        let moment = Duration.milliseconds(Int.random(in: 50...1500))
                        try await work(crew, until: moment, at: server) {
                            server.send(SIGKILL)
                        }
                    }
                    #expect(end == .signaled(SIGKILL))
                    try await expectWhole(fixture, ledger)
                }
                #expect(!ledger.applied.isEmpty)
                Attachment.record("\(ledger.applied.count) of \(ledger.all.count)", named: "ledger")
            }
        }

        @Test func `a database that is killed under load loses nothing`() async throws {
            try await ServerFixture.with { fixture in
                let ledger = Ledger()
                let crew = try await crew(4, fixture, ledger)
                try await fixture.run { server in
                    for _ in 1...kills {
                        let moment = Duration.milliseconds(Int.random(in: 300...1500))
                        try await work(crew, until: moment, at: server) {
                            let postmaster = try fixture.postmaster()
                            let outcome = Glibc.kill(postmaster, SIGKILL)
                            #expect(outcome == 0)
                        }
                    }
                    try await expectWhole(server, ledger)
                }
                #expect(!ledger.applied.isEmpty)
                Attachment.record("\(ledger.applied.count) of \(ledger.all.count)", named: "ledger")
            }
        }

        private func crew(
            _ count: Int,
            _ fixture: ServerFixture,
            _ ledger: Ledger
        ) async throws -> [Worker] {
            var crew: [Worker] = []
            try await fixture.run { server in
                crew = try await Worker.crew(count, at: server, ledger)
            }
            return crew
        }

        /// Lets workers work for a while, then strikes.
        private func work(
            _ crew: [Worker],
            until moment: Duration,
            at server: RunningServer,
            strike: () async throws -> Void = {}
        ) async throws {
            guard try await isReady(server) else { return }
            let closing = Closing()
            let deadline = ContinuousClock.now + moment
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in crew {
                    group.addTask(name: "worker") {
                        try await worker.work(at: server) { !closing.isDue }
                    }
                }
                while ContinuousClock.now < deadline, server.isAlive {
                    try await Task.sleep(for: .milliseconds(5))
                }
                try await strike()
                closing.call()
                try await group.waitForAll()
            }
        }

        /// Whether the service came up; it may die on the way, as it was told.
        private func isReady(_ server: RunningServer) async throws -> Bool {
            try await eventually("the service is ready or dead") {
                if !server.isAlive { return false }
                return try server.fixture.announcementText().contains("Try next:") ? true : nil
            }
        }

        private func expectWhole(_ fixture: ServerFixture, _ ledger: Ledger) async throws {
            try await fixture.run { try await expectWhole($0, ledger) }
        }

        private func expectWhole(_ server: RunningServer, _ ledger: Ledger) async throws {
            let events = try await server.settle()
            expectDense(events)
            ledger.expectKept(in: events)
            let served = try await server.published()
            try await server.expectSigned(served)
            for (language, words) in lastTexts(events) {
                #expect(served.text(language) == words)
            }
        }

        /// What the record says a phone on iOS reads in each language.
        private func lastTexts(_ events: [JSONValue]) -> [String: String] {
            var texts: [String: String] = [:]
            for event in events where event["type"]?.string == "TextSet" {
                let data = event["data"]
                guard
                    data?["platform"]?.string == "ios",
                    data?["threshold"]?.string == "minimumApp",
                    data?["part"]?.string == "description",
                    let language = data?["language"]?.string
                else { continue }
                texts[language] = data?["text"]?.string
            }
            return texts
        }
    }
}

extension ServerFixture {
    /// The process that the private PostgreSQL began with.
    func postmaster() throws -> Int32 {
        let file = data.appending(path: "postgres/data/postmaster.pid")
        let text = try String(contentsOf: file, encoding: .utf8)
        return try #require(text.split(separator: "\n").first.flatMap { Int32($0) })
    }
}
