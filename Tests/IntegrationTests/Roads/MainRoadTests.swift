import Foundation
import PlimsollAPI
import PlimsollJSON
import Subprocess
import Testing

extension ServiceTests {
    /// What a release manager, an approver and a responder do on an ordinary and on a bad day.
    @Suite struct MainRoadTests {}
}

private let languages = ["en-GB", "en", "cy", "de", "ar"]

extension ServiceTests.MainRoadTests {
    // Goal: the main job, with the tools that people have: the command line, an HTTP client and
    // openssl. Method: each step is checked where its reader would look.
    @Test func `a change goes from its proposal to the phones, and back`() async throws {
        try await ServerFixture.with { fixture in
            let fixture = fixture.empty()
            let end = try await fixture.run { server in
                let proposer = try await server.admit("alice", "proposer")
                let approver = try await server.admit("bob", "approver")
                let responder = try await server.admit("rita", "responder")
                let before = try await server.published()
                let base = try await server.head()

                let id = try await propose(server, as: proposer)
                #expect(try await server.published().answer.body == before.answer.body)
                #expect(try await approve(id, at: server, as: proposer).status == 1)
                let approved = try await approve(id, at: server, as: approver)
                #expect(approved.status == 0, "\(approved.errors)")

                let raised = try await eventually("the new document") {
                    let published = try await server.published()
                    return published.minimumApp == "3.2.0" ? published : nil
                }
                #expect(languages.allSatisfy { raised.text($0) == words($0) })
                #expect(raised.sequence > before.sequence)
                try await server.expectSigned(raised)
                try await expectOwnVerification(server)

                try await rollBack(to: base, server, as: responder)
                let former = try await server.published()
                #expect(former.sequence > raised.sequence)
                #expect(withoutStamp(former) == withoutStamp(before))
                try await server.expectSigned(former)
                try await expectHistory(server, of: id)
                try await fixture.expectVerified()
            }
            #expect(end == .exited(0))
        }
    }

    @Test func `a document with one other bit does not verify`() async throws {
        try await ServerFixture.with { fixture in
            try await fixture.run { server in
                let answer = try await server.phone()
                let openssl = OpenSSL(folder: fixture.folder)
                #expect(try await openssl.verifies(answer) { try await server.phone($0) })
                var body = answer.body
                body[body.count / 2] ^= 0x01
                let verifies = try await openssl.verifies(answer, body: body) {
                    try await server.phone($0)
                }
                #expect(!verifies)
            }
        }
    }

    private func propose(_ server: RunningServer, as proposer: String) async throws -> String {
        let texts = languages.flatMap {
            ["--text", "minimumApp.description.\($0)=\(words($0))"]
        }
        let proposed = try await server.plimsoll(
            ["propose", "--platform", "ios", "--set", "minimumApp.value=3.2.0"] + texts
                + ["--title", "Raise the line to 3.2.0", "--reason", "3.1 loses data", "--json"],
            as: proposer
        )
        try #require(proposed.status == 0, "\(proposed.errors)")
        let json = try JSONValue(parsing: Array(proposed.output.utf8), limits: .default)
        return try #require(json["id"]?.string)
    }

    private func approve(
        _ id: String,
        at server: RunningServer,
        as token: String
    ) async throws -> Outcome {
        try await server.plimsoll(["change", "approve", id, "--yes"], as: token)
    }

    /// Phones read the former document when the command is done.
    private func rollBack(
        to base: Int64,
        _ server: RunningServer,
        as responder: String
    ) async throws {
        let back = try await server.plimsoll(
            [
                "rollback", "--to-event", "\(base)", "--undoing", "1", "--yes", "--wait",
                "--reason",
                "3.2.0 never reached the store",
            ],
            as: responder
        )
        try #require(back.status == 0, "\(back.errors)")
    }

    /// The program itself trusts what is served, with the published keys and with no others.
    private func expectOwnVerification(_ server: RunningServer) async throws {
        let published = try await server.phone("/distribution/keys.json").body
        let file = server.fixture.folder.appending(path: "keys.json")
        let url = "http://\(try server.edge())/distribution/availability-ios"
        let verify = ["verify", "url", url, "--key", file.path]
        try Data(published).write(to: file)
        let trusted = try await server.plimsoll(verify, as: "")
        #expect(trusted.status == 0, "\(trusted.errors)")
        let stranger = try await Program.run(
            "openssl",
            ["ecparam", "-name", "prime256v1", "-genkey", "-noout"]
        )
        let key = server.fixture.folder.appending(path: "stranger.pem")
        try Data(stranger.output.utf8).write(to: key)
        let other = try await Program.run("openssl", ["ec", "-in", key.path, "-pubout"])
        try Data(other.output.utf8).write(to: file)
        #expect(try await server.plimsoll(verify, as: "").status == 8)
    }

    private func expectHistory(_ server: RunningServer, of id: String) async throws {
        let history = try await server.plimsoll(
            ["history", "--all", "--json"],
            as: try server.fixture.adminToken()
        )
        #expect(history.status == 0, "\(history.errors)")
        let limits = JSONLimits(sizeMaximum: 8 << 20)
        let json = try JSONValue(parsing: Array(history.output.utf8), limits: limits)
        let events = try #require(json["events"]?.array)
        let types = events.filter { $0["stream"]?.string == "change/\(id)" }
            .compactMap { $0["type"]?.string }
        #expect(
            types.reversed() == [
                "ChangeProposed", "OperationsAdded", "ChangeApproved", "ChangeApplied",
            ]
        )
        let rolledBack = events.first { $0["type"]?.string == "RolledBack" }
        #expect(rolledBack?["reason"]?.string == "3.2.0 never reached the store")
        let positions = events.compactMap { $0["position"]?.integer }
        #expect(positions == Array((1...Int64(events.count)).reversed()))
    }

    private func words(_ language: String) -> String { "Please update to 3.2.0 (\(language))." }
}

/// What phones read, without the members that differ between any two publications.
func withoutStamp(_ published: Published) -> JSONValue {
    guard var object = published.document.object else { return .null }
    object["plimsoll"] = nil
    return .object(object)
}
