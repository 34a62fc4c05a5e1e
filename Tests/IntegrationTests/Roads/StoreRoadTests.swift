import Foundation
import Glibc
import PlimsollAPI
import PlimsollJSON
import PlimsollTestSupport
import Subprocess
import Testing

extension ServiceTests {
    /// Documents that leave the machine: to a store, and from there to edges.
    @Suite struct StoreRoadTests {}
}

extension ServiceTests.StoreRoadTests {
    @Test func `what is published reaches edges through a store and through an edge`()
        async throws
    {
        try await StoreProcess.with { store in
            try await ServerFixture.with { fixture in
                try await fixture.run(environment: publishing(to: store)) { server in
                    let people = try await People(server)
                    try await fixture.edge("near", from: store.address()) { near in
                        try await expect(try await server.phone(), at: near, fixture)
                        try await fixture.edge("far", from: "http://\(near)") { far in
                            try await expect(try await server.phone(), at: far, fixture)
                            try await people.raise(to: "3.2.0", at: server)
                            try await eventually("the new document at home") {
                                try await server.published().minimumApp == "3.2.0" ? () : nil
                            }
                            try await expect(try await server.phone(), at: far, fixture)
                        }
                    }
                }
            }
        }
    }

    // Goal: when another app becomes the default, its documents stand at the addresses without a name
    // at home, at an edge of its own and at one behind a store, signed by its key and under a higher
    // sequence; so they do after a restart, and back again. Method: the sample gives way to an app
    // that is on Android and macOS only.
    @Test func `another default app is found at home, at edges and in a store`() async throws {
        try await StoreProcess.with { store in
            try await ServerFixture.with { fixture in
                let environment = publishing(to: store)
                var highest: Int64 = 0
                try await fixture.run(environment: environment) { server in
                    let admin = try fixture.adminToken()
                    let before = try await server.published("android")
                    let register = [
                        "apps", "register", "quay", "--platform", "android", "--platform", "macos",
                        "--language", "en",
                    ]
                    try #require(try await server.plimsoll(register, as: admin).status == 0)
                    try await fixture.edge("near", from: store.address()) { near in
                        try await fixture.edge("far", from: "http://\(near)") { far in
                            let places = [try server.edge(), near, far]
                            highest = try await choose("quay", at: server, places, fixture)
                            #expect(highest > before.sequence)
                            for place in places {
                                let ios = try await fixture.phone(at: place)
                                #expect(ios.status == 404, "\(place)")
                            }
                            let own = try await server.phone(
                                "/distribution/harbour/availability-ios"
                            )
                            #expect(own.status == 200)
                        }
                    }
                    _ = try await server.settle()
                    server.send(SIGKILL)
                }
                try await fixture.run(environment: environment) { server in
                    let found = try await server.published("android")
                    #expect(found.document["plimsoll"]?["app"] == "quay")
                    let places = [try server.edge()]
                    #expect(try await choose("harbour", at: server, places, fixture) > highest)
                    #expect(try await server.phone().status == 200)
                    try await fixture.expectVerified()
                }
            }
        }
    }

    /// Makes the app the default one and waits until every place has its documents; answers their
    /// sequence.
    private func choose(
        _ app: String,
        at server: RunningServer,
        _ places: [String],
        _ fixture: ServerFixture
    ) async throws -> Int64 {
        let chosen = try await server.plimsoll(
            ["apps", "default", app, "--yes", "--json"],
            as: try fixture.adminToken()
        )
        try #require(chosen.status == 0, "\(chosen.errors)")
        let position = try JSONValue(parsing: Array(chosen.output.utf8))["position"]?.integer
        var sequences: Set<Int64?> = []
        for place in places {
            let found = try await eventually("\(app) at \(place)") {
                let answer = try await fixture.phone(
                    at: place,
                    "/distribution/availability-android"
                )
                guard answer.status == 200 else { return nil as Published? }
                let document = try Published(answer)
                return document.document["plimsoll"]?["app"]?.string == app ? document : nil
            }
            try await server.expectSigned(found)
            sequences.insert(found.sequence)
        }
        #expect(sequences == [position])
        return try #require(position)
    }

    // Goal: a store that is away keeps nothing from phones, and gets everything when it is back.
    @Test func `a store that is away holds nothing up`() async throws {
        try await StoreProcess.with { store in
            try await ServerFixture.with { fixture in
                let transport = fixture.transport
                _ = try await transport.send(WebRequest(.get, store.url(of: .away)))
                try await fixture.run(environment: publishing(to: store)) { server in
                    let people = try await People(server)
                    try await people.raise(to: "3.2.0", at: server)
                    try await eventually("the new document at home") {
                        try await server.published().minimumApp == "3.2.0" ? () : nil
                    }
                    let causes = try await eventually("the record of the failure") {
                        let causes = try await server.settle()
                            .filter { $0["type"]?.string == "PublicationFailed" }
                            .compactMap { $0["data"]?["cause"]?.string }
                        return causes.isEmpty ? nil : causes
                    }
                    #expect(
                        causes.allSatisfy {
                            $0 == "the store s3://config/live did not take it: "
                                + "it answered 503 (SlowDown)"
                        }
                    )
                    _ = try await transport.send(WebRequest(.get, store.url(of: .well)))
                    try await fixture.edge("near", from: store.address()) { near in
                        try await expect(try await server.phone(), at: near, fixture)
                    }
                }
            }
        }
    }

    // Goal: wherever a publication to a store ends, edges that read it serve the old document or
    // the new one, and the next start brings the rest. Method: the service kills itself after the
    // n-th object that it writes for a change.
    @Test func `a service that dies while it writes to a store brings the rest`() async throws {
        try await StoreProcess.with { store in
            try await ServerFixture.with { fixture in
                var people: People?
                try await fixture.run(environment: publishing(to: store)) { server in
                    people = try await People(server)
                    _ = try await server.settle()
                    // What is left to write would be what the next one dies of.
                    try await fixture.edge("first", from: store.address()) { first in
                        try await expect(try await server.phone(), at: first, fixture)
                    }
                    try await eventually("the proofs are in the store") {
                        let writes = WebRequest(.get, store.writes)
                        let keys = try await fixture.transport.send(writes).body
                        return String(decoding: keys, as: UTF8.self).contains("proof.json")
                            ? () : nil
                    }
                }
                let team = try #require(people)
                try await fixture.edge("near", from: store.address()) { near in
                    var old = try await eventually("the sample at the edge") {
                        let answer = try await fixture.phone(at: near)
                        return answer.status == 200 ? try Published(answer).minimumApp : nil
                    }
                    for number in stride(from: 1, through: 11, by: 2) {
                        var environment = publishing(to: store)
                        environment["PLIMSOLL_FAULT_POINT"] = "export.store.written:\(number)"
                        let new = "3.1.\(number)"
                        let end = try await fixture.run(environment: environment) { server in
                            // It may die before it answers.
                            try? await team.raise(to: new, at: server)
                            try await eventually("the end of the service") {
                                server.isAlive ? nil : ()
                            }
                        }
                        #expect(end == .signaled(SIGKILL), "after \(number) objects")
                        let found = try await Published(fixture.phone(at: near)).minimumApp
                        #expect(found == old || found == new, "after \(number) objects")
                        try await fixture.run(environment: publishing(to: store)) { _ in
                            try await eventually("the new document at the edge") {
                                let document = try await Published(fixture.phone(at: near))
                                return document.minimumApp == new ? () : nil
                            }
                        }
                        old = new
                    }
                }
            }
        }
    }

    private func publishing(to store: StoreProcess) -> [String: String] {
        StoreProcess.environment.merging(["PLIMSOLL_EXPORT_STORES": store.address()]) { $1 }
    }

    /// Waits until the edge answers as the service's own does, signature and all.
    private func expect(
        _ home: WebAnswer,
        at address: String,
        _ fixture: ServerFixture
    ) async throws {
        let found = try await eventually("the document at the edge \(address)") {
            let answer = try await fixture.phone(at: address)
            return answer.body == home.body ? answer : nil
        }
        for name in ["x-amz-meta-signature", "x-amz-meta-signature-date", "Content-Type"] {
            #expect(found.header(name) == home.header(name))
        }
    }
}

/// Two whose word is enough, whatever run of the service they speak to.
private struct People: Sendable {
    let proposer: String
    let approver: String

    init(_ server: RunningServer) async throws {
        proposer = try await server.admit("alice", "proposer")
        approver = try await server.admit("bob", "approver")
    }

    func raise(to version: String, at server: RunningServer) async throws {
        let proposed = try await server.plimsoll(
            [
                "propose", "--platform", "ios", "--set", "minimumApp.value=\(version)",
                "--title", "Raise it", "--reason", "It loses data", "--json",
            ],
            as: proposer
        )
        guard proposed.status == 0 else { throw NotRaised(errors: proposed.errors) }
        let id = try #require(proposed.output.firstMatch(of: #/"id":"(\d+)"/#)?.1)
        let approved = try await server.plimsoll(
            ["change", "approve", String(id), "--yes"],
            as: approver
        )
        guard approved.status == 0 else { throw NotRaised(errors: approved.errors) }
    }
}

private struct NotRaised: Error {
    let errors: String
}
