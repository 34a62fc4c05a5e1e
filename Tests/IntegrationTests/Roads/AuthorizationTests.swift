import Foundation
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import Testing

extension ServiceTests {
    /// Every write asks who comes, and whether they may.
    @Suite struct AuthorizationTests {
        // Goal: no write gets through without a token, with a dead one, or in a wrong role.
        // Method: each write that the service says it has is tried in each way, and the log ends
        // where it ended before. Everybody may renew a token of their own.
        @Test func `each write is closed to those who may not make it`() async throws {
            try await ServerFixture.with { fixture in
                try await fixture.run { server in
                    let team = try await Team(server)
                    let viewer = try await server.admit("victor", "viewer")
                    let proposed = try await server.propose(edits, as: team.proposer)
                    let responder = try await server.admit("rita", "responder")
                    let block = try #require(bodies["blockVersion"])
                    _ = try await server.send(
                        .post,
                        "/v1/apps/harbour/block",
                        as: responder,
                        block
                    )
                    let webhook = try await server.send(
                        .post,
                        "/v1/webhooks",
                        as: try fixture.adminToken(),
                        bodies["registerWebhook"]
                    )
                    try #require(webhook.status == 201, "\(webhook.json)")
                    _ = try await server.settle()
                    let events = try await server.events(as: try fixture.adminToken()).count
                    let writes = try await server.writes()
                    #expect(Set(writes.map(\.name)) == Set(bodies.keys))
                    for write in writes {
                        let path = try await write.path(of: proposed, team)
                        let body = try #require(bodies[write.name], "\(write.name) is not here")
                        for (token, status) in [
                            (nil, 401), ("plm_" + String(repeating: "0", count: 64), 401),
                            (viewer, 403),
                        ]
                        // Everybody renews their own token, and what is over may be ended again.
                        where !["renewToken", "endSession"].contains(write.name) || token != viewer
                        {
                            let reply = try await server.send(
                                write.method,
                                path,
                                as: token,
                                body,
                                headers: write.headers(for: proposed)
                            )
                            #expect(reply.status == status, "\(write.name): \(reply.json)")
                            #expect(
                                reply.answer.header("Content-Type") == "application/problem+json"
                            )
                        }
                    }
                    let after = try await server.events(as: try fixture.adminToken()).count
                    #expect(after == events)
                }
            }
        }

        @Test func `no author approves own work, in person or through a puppet`() async throws {
            try await ServerFixture.with { fixture in
                try await fixture.run { server in
                    let mixed = try await server.admit("mia", "proposer", "approver", "admin")
                    let puppet = try await server.admit("puppet", "approver", by: mixed)
                    let bob = try await server.admit("bob", "approver")
                    let proposed = try await server.propose(edits, as: mixed)
                    for token in [mixed, puppet] {
                        let reply = try await server.decide("approve", on: proposed, as: token)
                        #expect(reply.status == 403, "\(reply.json)")
                    }
                    let reply = try await server.decide("approve", on: proposed, as: bob)
                    #expect(reply.json["state"]?.string == "applied", "\(reply.json)")
                }
            }
        }

        // Method: the token is used until its time has passed; an answer that came before is a good
        // one, and a request that went out after it is refused.
        @Test func `a token lives until it expires, and then writes and reads nothing`()
            async throws
        {
            try await ServerFixture.with { fixture in
                try await fixture.run { server in
                    let end = Date.now.addingTimeInterval(8)
                    let token = try await brief(server, until: end)
                    let base = try await server.head()
                    let events = try await server.settle().count
                    try await eventually("the token has expired") {
                        let sent = Date.now
                        let reply = try await server.send(.get, "/v1/me", as: token)
                        if Date.now < end { #expect(reply.status == 200, "\(reply.json)") }
                        guard sent >= end else { return Bool?.none }
                        try expectUnauthenticated(reply)
                        return true
                    }
                    let proposed = try await server.propose(edits, base: base, as: token)
                    try expectUnauthenticated(proposed)
                    let listed = try await server.plimsoll(["changes"], as: token)
                    #expect(listed.status != 0)
                    #expect(listed.errors.contains("expired"), "\(listed.errors)")
                    #expect(try await server.settle().count == events)
                }
            }
        }

        private func brief(_ server: RunningServer, until end: Date) async throws -> String {
            let body: JSONValue = [
                "name": "alice", "roles": [["role": "proposer"]],
                "expiresAt": .string(Instant(end).rfc3339),
            ]
            let admin = try server.fixture.adminToken()
            let reply = try await server.send(.post, "/v1/tokens", as: admin, body)
            try #require(reply.status == 201, "\(reply.json)")
            return try #require(reply.json["token"]?.string)
        }

        private func expectUnauthenticated(_ reply: Reply) throws {
            #expect(reply.status == 401, "\(reply.json)")
            #expect(reply.json["type"]?.string == "/problems/unauthenticated")
            #expect(reply.json["detail"]?.string?.contains("expired") == true, "\(reply.json)")
            #expect(reply.answer.header("Content-Type") == "application/problem+json")
            #expect(reply.answer.header("WWW-Authenticate")?.hasPrefix("Bearer") == true)
        }

        private var edits: JSONValue { [Edits.setText("ios", "description", "fr", "Bonjour.")] }

        /// A body for every write, by the name that the service's description gives it.
        private var bodies: [String: JSONValue] {
            let reason: JSONValue = ["reason": "Because."]
            let proposal: JSONValue = ["title": "Mine", "base": 1, "operations": edits]
            let soon = Date.now.addingTimeInterval(3600)
            let window: JSONValue = [
                "from": .string(Instant(soon).rfc3339),
                "until": .string(Instant(soon.addingTimeInterval(3600)).rfc3339),
                "timeZone": "Europe/London", "reason": "Because.",
            ]
            let root = "https://market.example.com"
            let marketplace: JSONValue = [
                "item": "1", "domains": ["market.example.com"],
                "restore": .string(root + "/restore"),
                "updates": .string(root + "/updates"), "dynamicLicense": .string(root + "/l"),
                "signingCertificate": .string(root + "/s"),
                "encryptionCertificate": .string(root + "/e"),
            ]
            let package: JSONValue = [
                "version": "1", "shortVersion": "1", "bundleVersion": "1",
                "minimumSystems": [["platform": "ios", "version": "17.4"]],
                "address": .string(root + "/1/"),
                "manifest": .string(String(repeating: "0", count: 64)),
            ]
            let key: JSONValue =
                "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINKL4CD7QaZDgfNZiW/nUG/DuaZIzVDTdUpgckdQRFJW"
            return [
                "registerApp": [
                    "slug": "second", "name": "Second", "platforms": ["ios"],
                    "languages": ["en"], "fallbackLanguage": "en",
                ],
                "changeSettings": [
                    "name": "Mine", "platforms": ["ios"], "languages": ["en"],
                    "fallbackLanguage": "en", "profile": "minimal", "princeOfVersions": "all",
                ],
                "chooseDefaultApp": ["from": "harbour"],
                "issueToken": ["name": "eve", "roles": [["role": "admin"]]], "revokeToken": [:],
                "endSession": [:],
                "eraseName": [:], "suspendPrincipal": reason, "resumePrincipal": [:],
                "revokeRole": ["role": "proposer"], "renewToken": [:],
                "addPersonKey": ["key": key], "revokePersonKey": ["key": key],
                "proposeChange": proposal, "reviseChange": proposal,
                "rollBack": ["to": ["event": 1], "reason": "Because."],
                "approveChange": [:], "rejectChange": reason, "withdrawChange": [:],
                "requestChanges": reason, "commentOnChange": ["comment": "Well."],
                "applyChange": [:], "scheduleChange": ["schedule": nil], "freezeApp": reason,
                "thawApp": reason, "freezeAll": reason,
                "thawAll": reason, "planFreeze": window, "planFreezeOfAll": window,
                "cancelFreezePlan": reason, "cancelFreezePlanOfAll": reason,
                "changePolicy": ["rules": [:]],
                "changeDefaultPolicy": ["rules": [:]], "resetPolicy": reason,
                "declareEmergency": [
                    "title": "Now", "reason": "Because.", "incident": "INC-1", "operations": edits,
                ],
                "blockVersion": ["platform": "ios", "below": "77", "reason": "Because."],
                "closeReview": ["outcome": "confirmed"],
                "overrideCheck": ["check": "textLong", "reason": "Because."],
                "registerRelease": [:], "amendRelease": [:], "withdrawRelease": [:],
                "replaceVersionShares": ["rows": [["app": "77", "devices": 1]]],
                "removeVersionShares": [:],
                "registerWebhook": ["url": "https://hooks.example.com/", "app": "harbour"],
                "rotateWebhookSecret": [:], "enableWebhook": [:], "disableWebhook": [:],
                "replayToWebhook": ["since": 1], "removeWebhook": [:],
                "setMarketplace": marketplace, "removeMarketplace": reason,
                "dropNotifications": ["marketplace": "1", "item": "2", "reason": "Because."],
                "forgetAccount": ["account": "7f3c21"],
                "listApp": ["item": "1", "bundle": "org.example.harbour"], "unlistApp": reason,
                "ingestPackage": package,
                "announcePackage": ["package": "p-1", "packageVersion": "v-1"],
                "withdrawPackages": ["versions": ["1"], "reason": "Because."],
                "addKey": reason, "activateKey": reason, "retireKey": reason,
                "compromiseKey": reason, "addEntryKey": reason, "retireEntryKey": reason,
            ]
        }
    }
}
