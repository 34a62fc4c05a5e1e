import Foundation
import PlimsollAPI
import PlimsollLog
import Subprocess
import Testing

extension ServiceTests {
    /// A witness that runs for good, and takes checkpoints from whoever brings them.
    @Suite struct WatchingTests {
        // Goal: a witness left to itself cosigns the log as it grows, and answers others by the
        // rules of C2SP. Method: the real process beside the real service, told to stop at the end.
        @Test func `a witness that runs follows the log, and cosigns what is brought`() async throws
        {
            try await ServerFixture.with { fixture in
                let watch = try Watch(fixture)
                try await fixture.run(environment: watch.known) { server in
                    let auditor = try await server.admit("ann", "auditor")
                    try await server.waitForPublicCheckpoint()
                    let log = "http://\(try server.edge())/distribution/log"
                    let end = try await watch.watching(log, server, as: auditor) { witness in
                        let address = try await witness.address(after: "listening on ")
                        try await watch.waitForLine(on: server, as: auditor)
                        try await Team(server).setMinimum("3.1.0", "The first.")
                        try await watch.waitUntilSeen(on: server)
                        try await watch.waitForLine(on: server, as: auditor)
                        try await expectCosigned(at: address, fixture, watch)
                    }
                    #expect(end == .exited(0))
                    #expect(try watch.alarms() == 0)
                }
            }
        }

        // Goal: whoever brings another history of what was seen ends the witness with the alarm.
        @Test func `a fork that is brought ends the witness with status 8`() async throws {
            try await ServerFixture.with { fixture in
                let watch = try Watch(fixture)
                try await fixture.run(environment: watch.known) { server in
                    let auditor = try await server.admit("ann", "auditor")
                    try await server.waitForPublicCheckpoint()
                    let log = "http://\(try server.edge())/distribution/log"
                    let end = try await watch.watching(log, server, as: auditor) { witness in
                        let address = try await witness.address(after: "listening on ")
                        try await watch.waitUntilSeen(on: server)
                        let seen = try watch.seen()
                        let fork = try fixture.logSigner().sign(
                            MerkleRoot(size: seen.size, hash: .leaf([1]))
                        )
                        let answer = try await bring(
                            fork.bytes,
                            from: seen.size,
                            to: address,
                            fixture
                        )
                        #expect(answer.status == 409)
                        try await eventually("the end of the witness") {
                            witness.isAlive ? nil : ()
                        }
                    }
                    #expect(end == .exited(8))
                    #expect(try watch.alarms() == 1)
                }
            }
        }

        private func expectCosigned(
            at address: String,
            _ fixture: ServerFixture,
            _ watch: Watch
        ) async throws {
            let seen = try watch.seen()
            let signed = try fixture.logSigner().sign(seen)
            let answer = try await bring(signed.bytes, from: seen.size, to: address, fixture)
            #expect(answer.status == 200)
            let cosigned = try signed.adding(NoteSignature.parse(answer.body))
            guard case .verified = cosigned.verification(by: try watch.trust) else {
                Issue.record("the witness's line does not verify")
                return
            }
            let behind = try await bring(signed.bytes, from: seen.size - 1, to: address, fixture)
            #expect(behind.status == 409)
            #expect(behind.header("Content-Type") == "text/x.tlog.size")
            #expect(String(decoding: behind.body, as: UTF8.self) == "\(seen.size)\n")
        }

        private func bring(
            _ checkpoint: [UInt8],
            from size: Int,
            to address: String,
            _ fixture: ServerFixture
        ) async throws -> WebAnswer {
            try await fixture.transport.send(
                WebRequest(
                    .post,
                    "http://\(address)/add-checkpoint",
                    body: Array("old \(size)\n\n".utf8) + checkpoint
                )
            )
        }
    }
}

extension ServerFixture {
    /// Signs what the log itself would: the private key lies beside it.
    func logSigner() throws -> LogSigner {
        let text = try String(contentsOf: data.appending(path: "keys/log"), encoding: .utf8)
        return try LogSigner(SignerKey(parsing: text))
    }
}
