import Foundation
import PlimsollAPI
import PlimsollLog
import PlimsollTestSupport
import Testing

extension ServiceTests {
    /// A witness beside the service, as another organisation runs it.
    @Suite struct WitnessTests {
        // Goal: what a witness says stands beside the log's own word wherever that is published,
        // from its first look on, and whatever the witness dies of. Method: the real witness looks
        // at the real edge, grows with it, and kills itself between storing and answering.
        @Test func `the log is cosigned as it grows, although the witness dies`() async throws {
            try await ServerFixture.with { fixture in
                let watch = try Watch(fixture)
                try await fixture.run(environment: watch.known) { server in
                    let auditor = try await server.admit("ann", "auditor")
                    let log = "http://\(try server.edge())/distribution/log"
                    try await server.waitForPublicCheckpoint()
                    let first = try await watch.look(at: log, server, as: auditor)
                    #expect(first.status == 0, "\(first.errors)")
                    try await watch.waitForLine(on: server, as: auditor)

                    try await Team(server).setMinimum("3.1.0", "The first.")
                    try await server.waitForPublicCheckpoint()
                    let point = ["PLIMSOLL_FAULT_POINT": "witness.stored"]
                    let killed = try await watch.look(at: log, server, as: auditor, point)
                    #expect(killed.status == nil)
                    let newest = try fixture.checkpoint()
                    #expect(newest.note.signatures.count == 1)
                    #expect(try watch.seen() == newest.checkpoint.root)

                    let again = try await watch.look(at: log, server, as: auditor)
                    #expect(again.status == 0, "\(again.errors)")
                    try await watch.waitForLine(on: server, as: auditor)
                    #expect(try watch.seen() == newest.checkpoint.root)
                }
            }
        }

        // Goal: a log that was restored from an old dump, and goes on as if nothing had been lost,
        // cannot hide that from whoever has seen more. Method: the private PostgreSQL is put back,
        // and the operator gives up what was signed.
        @Test func `a log that shrinks and goes another way is found out`() async throws {
            try await ServerFixture.with { fixture in
                let watch = try Watch(fixture)
                let cluster = fixture.data.appending(path: "postgres").path
                let copy = fixture.folder.path + "/older"
                try await fixture.run { server in
                    try await Team(server).setMinimum("3.1.0", "The first.")
                }
                try await output(of: "cp", ["-a", cluster, copy])
                try await fixture.run(environment: watch.known) { server in
                    try await Team(server, called: "others").setMinimum("3.2.0", "The second.")
                    try await server.waitForCheckpoint()
                    let token = try fixture.adminToken()
                    let seen = try await watch.look(at: server.auditorsLog(), server, as: token)
                    #expect(seen.status == 0, "\(seen.errors)")
                }
                let root = try watch.seen()
                let lost = try fixture.checkpoint().checkpoint.root
                try await output(of: "rm", ["-r", cluster])
                try await output(of: "mv", [copy, cluster])

                let accepted = ["PLIMSOLL_LOG_ACCEPT": "\(lost.size):\(lost.hash)"]
                try await fixture.run(environment: watch.known.merging(accepted) { $1 }) { server in
                    let token = try fixture.adminToken()
                    try await server.waitForCheckpoint()
                    let shrunk = try await watch.look(at: server.auditorsLog(), server, as: token)
                    #expect(shrunk.status == 8)
                    #expect(shrunk.errors.contains("events were taken back"))

                    let team = try await Team(server, called: "night shift")
                    try await team.setMinimum("4.0.0", "Another second.")
                    try await team.setMinimum("4.1.0", "Another third.")
                    try await server.waitForCheckpoint()
                    let other = try await watch.look(at: server.auditorsLog(), server, as: token)
                    #expect(other.status == 8)
                    #expect(other.errors.contains("its history was rewritten"))
                    #expect(try fixture.checkpoint().note.signatures.count == 1)
                }
                #expect(try watch.seen() == root)
                #expect(try watch.alarms() == 2)
            }
        }
    }
}

extension RunningServer {
    func auditorsLog() throws -> String { "http://\(try rest())/v1/log" }

    /// Waits until the edge shows a checkpoint over the whole log.
    func waitForPublicCheckpoint() async throws {
        try await waitForCheckpoint()
        try await eventually("the checkpoint at the edge") {
            let answer = try await phone("/distribution/log/checkpoint")
            return try answer.body == fixture.checkpoint().bytes ? () : nil
        }
    }
}
