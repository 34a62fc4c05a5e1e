import Foundation
import PlimsollAPI
import PlimsollJSON
import PlimsollLog
import PlimsollTestSupport
import Testing

extension ServiceTests {
    /// A database that was restored from an old backup, under an export that knows better.
    @Suite struct OlderDumpTests {
        // Goal: nobody appends to, signs or publishes a history that was lost, phones are served
        // all the while, and an operator finds the way out in what the service says.
        // Method: the private PostgreSQL is copied between two runs, and put back after the second.
        @Test func `an older dump is read only, until an operator gives up the rest`()
            async throws
        {
            try await ServerFixture.with { fixture in
                let (copy, database) = (fixture.folder.path + "/older", fixture.cluster)
                try await fixture.run { server in
                    try await Team(server).setMinimum("3.1.0", "The first.")
                    try await server.waitForCheckpoint()
                }
                try await output(of: "cp", ["-a", database, copy])
                try await fixture.run { server in
                    try await Team(server, called: "others").setMinimum("3.2.0", "The second.")
                    try await server.waitForCheckpoint()
                }
                let signed = try fixture.checkpoint()
                try await output(of: "rm", ["-r", database])
                try await output(of: "mv", [copy, database])

                let served = try await expectReadOnly(fixture, signed)
                try await expectReadOnlyAgain(served, fixture, signed)
                try await expectWayOut(fixture, signed)
            }
        }

        /// A start on the older dump; answers the bytes that phones get.
        private func expectReadOnly(
            _ fixture: ServerFixture,
            _ signed: SignedCheckpoint
        ) async throws -> [UInt8] {
            var body: [UInt8] = []
            try await fixture.run(.edge) { server in
                let told = try await eventually("what the operator is told") {
                    let text = try fixture.announcementText()
                    return text.contains("reads only") ? text : nil
                }
                let root = signed.checkpoint.root
                #expect(told.contains("--accept-log \(root.size):\(root.hash)"))
                let phone = try await server.published()
                #expect(phone.text("en") == "The second.")
                try await server.expectSigned(phone)
                body = phone.answer.body

                let token = try fixture.adminToken()
                let refused = try await server.propose(
                    [Edits.setValue("ios", "minimumApp", .string("9.9.9"))],
                    as: token
                )
                #expect(refused.status == 503)
                #expect(refused.json["type"]?.string == "/problems/log-behind")
                #expect(refused.json["detail"]?.string?.contains("--accept-log") == true)
                let ready = try await server.send(.get, "/readyz", as: token)
                #expect(ready.status == 503)
                #expect(ready.json["type"]?.string == "/problems/log-behind")
                let metrics = try await fixture.transport.send(
                    WebRequest(.get, "http://\(server.rest())/metrics")
                )
                let text = String(decoding: metrics.body, as: UTF8.self)
                #expect(text.contains("plimsoll_log_read_only 1"))
                let page = try await server.send(.get, "/v1/events?limit=1", as: token)
                #expect(page.status == 200)
                #expect(try fixture.checkpoint() == signed)
            }
            return body
        }

        /// Nothing has changed when it starts like that again.
        private func expectReadOnlyAgain(
            _ served: [UInt8],
            _ fixture: ServerFixture,
            _ signed: SignedCheckpoint
        ) async throws {
            #expect(try await expectReadOnly(fixture, signed) == served)
        }

        private func expectWayOut(
            _ fixture: ServerFixture,
            _ signed: SignedCheckpoint
        ) async throws {
            let root = signed.checkpoint.root
            let accepted = ["PLIMSOLL_LOG_ACCEPT": "\(root.size):\(root.hash)"]
            try await fixture.run(.ready, environment: accepted) { server in
                let token = try fixture.adminToken()
                let ready = try await server.send(.get, "/readyz", as: token)
                #expect(ready.status == 200)
                try await server.waitForCheckpoint()
            }
            let folder = fixture.data.path
            try await fixture.run { _ in
                let verified = try await Program.run(
                    try Program.plimsoll(),
                    ["verify", "log", "--data", folder, "--json"]
                )
                #expect(verified.status == 0, "\(verified.errors)")
                #expect(verified.output.contains("\"size\":\(root.size)"))
                #expect(verified.output.contains("\"givenUp\":[{"))
            }
            #expect(try fixture.checkpoint().checkpoint.root.hash != root.hash)
            let kept = "log-\(root.size)-\(root.hash.description.prefix(8))/checkpoint"
            #expect(try fixture.checkpoint(kept) == signed)
            // It was recorded: the next start needs no word.
            try await fixture.run { _ in }
        }
    }
}

extension ServerFixture {
    fileprivate var cluster: String { data.appending(path: "postgres").path }

    func checkpoint(_ name: String = "log/checkpoint") throws -> SignedCheckpoint {
        let file = data.appending(path: "export").appending(path: name)
        return try SignedCheckpoint(parsing: Array(Data(contentsOf: file)))
    }
}

extension RunningServer {
    /// Waits until a checkpoint covers all that is in the log.
    func waitForCheckpoint() async throws {
        try await eventually("a checkpoint over the whole log") {
            let count = try await settle().count
            // There is none before the first.
            let size = try? fixture.checkpoint().checkpoint.root.size
            return size == count ? () : nil
        }
    }
}
