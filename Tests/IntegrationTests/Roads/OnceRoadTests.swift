import Foundation
import Glibc
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import Subprocess
import Testing

extension ServiceTests {
    /// What is said twice happens once, and what is planned happens whoever dies meanwhile.
    @Suite struct OnceRoadTests {
        // Goal: a job may send its command again, whatever others did in between. Method: the same
        // command and key before and after the base has moved; then other words under the key.
        @Test func `a proposal and an import sent twice under a key are done once`() async throws {
            try await ServerFixture.with { fixture in
                try await fixture.run { server in
                    let alice = try await server.admit("alice", "proposer")
                    let bob = try await server.admit("bob", "approver", "responder")
                    let proposal = [
                        "propose", "--set", "ios.minimumOS.value=16.0", "--title", "Ask for 16",
                        "--idempotency-key", "k1",
                    ]
                    let first = try await server.expect(0, proposal, as: alice)
                    let block = [
                        "block", "ios", "--below", "3.2.0", "--reason", "It loses data", "--yes",
                    ]
                    _ = try await server.expect(0, block, as: bob)
                    let again = try await server.expect(0, proposal, as: alice)
                    #expect(again["id"] == first["id"])
                    let other = try await server.plimsoll(proposal + ["--reason", "x"], as: alice)
                    #expect(other.status == 1 && other.errors.contains("idempotency key"))

                    let file = fixture.folder.appending(path: "availability-ios.json")
                    try await write(file, "4.0.0", server)
                    let importing = [
                        "import", file.path, "--source", "acme/app", "--idempotency-key",
                    ]
                    let imported = try await server.expect(0, importing + ["c1"], as: alice)
                    _ = try await server.expect(
                        0,
                        ["change", "approve", id(imported), "--yes"],
                        as: bob
                    )
                    // Live is what the file says by now; the answer is the first one's all the same.
                    let repeated = try await server.expect(0, importing + ["c1"], as: alice)
                    #expect(repeated["id"] == imported["id"])
                    let nothing = try await server.plimsoll(importing + ["c2"], as: alice)
                    #expect(nothing.status == 3, "\(nothing.errors)")
                    try await fixture.expectVerified()
                }
            }
        }

        // Goal: who decides again under the key is told what came of it the first time. Method: each command
        // twice, when what it binds to is another by then or can be decided no more.
        @Test func `a decision and a policy sent twice under a key are done once`() async throws {
            try await ServerFixture.with { fixture in
                try await fixture.run { server in
                    let alice = try await server.admit("alice", "proposer")
                    let bob = try await server.admit("bob", "approver")
                    let edit = [
                        "--text", "ios.minimumApp.description.fr=Bonjour", "--title", "Greet",
                    ]
                    let proposed = try await server.expect(0, ["propose"] + edit, as: alice)
                    let approve = [
                        "change", "approve", id(proposed), "--comment", "Gesehen, und gut", "--yes",
                        "--idempotency-key",
                    ]
                    let approved = try await server.expect(0, approve + ["a1"], as: bob)
                    #expect(approved["state"] == "applied")
                    let again = try await server.expect(0, approve + ["a1"], as: bob)
                    #expect(again["state"] == "applied")
                    #expect(again["position"] == approved["position"])
                    let late = try await server.plimsoll(approve + ["a2"], as: bob)
                    #expect(late.status == 5 && late.errors.contains("is already applied"))

                    let admin = try fixture.adminToken()
                    func apply(_ count: Int, _ key: String) async throws -> JSONValue {
                        let file = fixture.folder.appending(path: "policy.json")
                        let approvals = #"[{"count": \#(count), "role": "approver"}]"#
                        let policy = #"{"rules": {"raiseMinimum": {"approvals": \#(approvals)}}}"#
                        try Data(policy.utf8).write(to: file)
                        let command = ["policy", "apply", "harbour", file.path, "--yes"]
                        return try await server.expect(
                            0,
                            command + ["--idempotency-key", key],
                            as: admin
                        )
                    }
                    let first = try await apply(2, "p1")
                    let other = try await apply(3, "p2")
                    let repeated = try await apply(2, "p1")
                    #expect(repeated["position"] == first["position"])
                    #expect(first["position"] != other["position"])
                    try await fixture.expectVerified()
                }
            }
        }

        @Test func `the import of the next commit takes the place of the last one's`() async throws
        {
            try await ServerFixture.with { fixture in
                try await fixture.run { server in
                    let alice = try await server.admit("alice", "proposer")
                    let file = fixture.folder.appending(path: "availability-ios.json")
                    let importing = ["import", file.path, "--source", "acme/app"]
                    try await write(file, "4.0.0", server)
                    let first = try await server.expect(0, importing, as: alice)
                    let again = try await server.expect(0, importing, as: alice)
                    #expect(again["id"] == first["id"])
                    try await write(file, "5.0.0", server)
                    let next = try await server.expect(0, importing, as: alice)
                    #expect(next["supersedes"] == .array([try #require(first["id"])]))
                    let show = ["change", "show", id(first), "--json"]
                    let old = try await server.expect(0, show, as: alice)
                    #expect(old["state"] == "withdrawn" && old["supersededBy"] == next["id"])
                    try await fixture.expectVerified()
                }
            }
        }

        // Goal: a freeze that is planned needs nobody to be there. Method: the service is killed once
        // it is planned, and comes back while it lasts or after it; nothing applies in it.
        @Test func `a planned freeze begins and ends though the service dies`() async throws {
            try await ServerFixture.with { fixture in
                var (from, until) = (Instant.present, Instant.present)
                try await fixture.run { server in
                    let rita = try await server.admit("rita", "responder")
                    from = Instant.present.advanced(by: .seconds(10))
                    until = from.advanced(by: .seconds(25))
                    let plan = [
                        "freeze", "plan", "--from", from.rfc3339, "--until", until.rfc3339,
                        "--reason", "Holidays",
                    ]
                    _ = try await server.expect(0, plan, as: rita)
                    server.send(SIGKILL)
                }
                try await eventually("it is to begin") { Instant.present >= from ? () : nil }
                try await fixture.run { server in
                    let admin = try fixture.adminToken()
                    _ = try await eventually("the freeze holds, or is over") {
                        let path = "/v1/apps/harbour/freeze"
                        let shown = try await server.send(.get, path, as: admin).json["freeze"]
                        return shown?["reason"] == "Holidays" || Instant.present >= until
                            ? true : nil
                    }
                    _ = try await eventually("the freeze is over") {
                        let events = try await server.settle().compactMap { $0["type"]?.string }
                        return events.contains("PlannedFreezeEnded") ? true : nil
                    }
                    let events = try await server.settle().compactMap { $0["type"]?.string }
                    #expect(events.count { $0 == "PlannedFreezeEnded" } == 1)
                    #expect(events.count { $0 == "PlannedFreezeStarted" } <= 1)
                    #expect(Instant.present >= until)
                    try await fixture.expectVerified()
                }
            }
        }

        // Goal: one author's haste leaves room for everybody. Method: as many open changes as one may
        // have, one more, and then somebody else's.
        @Test func `an author with as many open changes as one may have keeps nobody out`()
            async throws
        {
            try await ServerFixture.with { fixture in
                try await fixture.run { server in
                    let alice = try await server.admit("alice", "proposer")
                    let carol = try await server.admit("carol", "proposer")
                    let edit: JSONValue = [
                        [
                            "op": "setValue", "platform": "ios", "threshold": "minimumOS",
                            "value": "16.0",
                        ]
                    ]
                    var statuses: [Int] = []
                    for _ in 1...101 {
                        statuses.append(try await server.propose(edit, as: alice).status)
                    }
                    #expect(statuses.filter { $0 == 201 }.count == 100)
                    #expect(statuses.last == 429)
                    #expect(try await server.propose(edit, as: carol).status == 201)
                }
            }
        }

        private func id(_ change: JSONValue) -> String { change["id"]?.string ?? "" }

        /// What iPhones are served, with another minimum.
        private func write(_ file: URL, _ version: String, _ server: RunningServer) async throws {
            var document = try #require(try await server.published().document.object)
            var minimum = try #require(document["minimumAppVersion"]?.object)
            minimum["value"] = .string(version)
            document["minimumAppVersion"] = .object(minimum)
            document["plimsoll"] = nil
            try Data(JSONValue.object(document).canonicalBytes()).write(to: file)
        }
    }
}
