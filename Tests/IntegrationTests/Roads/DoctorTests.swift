import Foundation
import PlimsollAPI
import PlimsollJSON
import Subprocess
import Testing

extension ServiceTests {
    /// `plimsoll doctor` beside the whole service, on its machine.
    @Suite struct DoctorTests {
        // Goal: all well is said where all is well, and each illness by its name.
        // Method: one service falls ill in one way after the other, and recovers.
        @Test func `the doctor finds a healthy service well, and names what ails it`() async throws
        {
            try await ServerFixture.with { fixture in
                try await fixture.run { server in
                    let doctor = Doctor(server, try fixture.adminToken())
                    try await server.waitForCheckpoint()
                    let copy = fixture.folder.appending(path: "copy").path
                    try await doctor.expectIll("key backup", "have no copy")
                    let copied = try await server.plimsoll(
                        ["keys", "copy", copy, "--data", fixture.data.path],
                        as: ""
                    )
                    try #require(copied.status == 0, "\(copied.errors)")
                    try await doctor.expectWell()

                    let secret = fixture.data.appending(path: "admin-token").path
                    try permit(0o644, secret)
                    try await doctor.expectIll("data", secret)
                    try permit(0o600, secret)
                    try await Doctor(server, "plm_" + String(repeating: "0", count: 64))
                        .expectIll("token", "A valid token is needed.")
                    for key in try FileManager.default.subpathsOfDirectory(atPath: copy)
                    where key.hasSuffix(".pem") {
                        try FileManager.default.removeItem(atPath: "\(copy)/\(key)")
                    }
                    try await doctor.expectIll("key backup", copy)
                    // A copy that was taken elsewhere, as it should be.
                    try FileManager.default.removeItem(atPath: copy)
                    try await doctor.expectWell(notChecking: "key backup")
                    let registered = try await server.send(
                        .post,
                        "/v1/apps",
                        as: fixture.adminToken(),
                        [
                            "slug": "quay", "name": "Quay", "platforms": ["ios"],
                            "languages": ["en"], "fallbackLanguage": "en",
                        ]
                    )
                    try #require(registered.status == 201, "\(registered.json)")
                    try await doctor.expectIll("key backup", "quay/")
                }
            }
        }

        // Goal: an edge that has fallen behind is found, and one that is dead. Method: an edge serves a
        // copy of the export, which nobody brings up to date.
        @Test func `the doctor finds an edge that is behind, and one that is dead`() async throws {
            try await ServerFixture.with { fixture in
                try await fixture.run { server in
                    try await server.waitForCheckpoint()
                    try await server.waitForSnapshotProof()
                    let copy = try await fixture.copyOfExport("old-export")
                    var doctor = Doctor(server, try fixture.adminToken())
                    var name = ""
                    try await fixture.standaloneEdge(over: copy) { edge in
                        doctor.options = ["--edge", "http://\(edge.address)"]
                        name = "edge http://\(edge.address)"
                        try await doctor.expectChecked(name, "harbour: it serves sequence")
                        let old = try await server.published().sequence
                        let proposed = try await server.propose(
                            [Edits.setValue("ios", "recommendedApp", "3.7.0")],
                            as: try await server.admit("author", "proposer")
                        )
                        let approver = try await server.admit("approver", "approver")
                        let approved = try await server.decide(
                            "approve",
                            on: proposed,
                            as: approver
                        )
                        try #require(approved.status == 200, "\(approved.json)")
                        _ = try await server.settle()
                        try await doctor.expectIll(name, "it serves sequence \(old), ordered")
                    }
                    try await doctor.expectIll(name, "cannot be reached")
                    doctor.options = ["--edge", "http://\(try server.edge())"]
                    try await doctor.expectChecked(
                        "edge http://\(try server.edge())",
                        "as published"
                    )
                }
            }
        }

        @Test func `the doctor finds a service that does not run`() async throws {
            try await ServerFixture.with { fixture in
                var doctor: Doctor?
                let end = try await fixture.run { doctor = Doctor($0, try fixture.adminToken()) }
                #expect(end == .exited(0))
                try await doctor?.expectIll("service", "cannot be reached")
                try await doctor?.expectIll("database", "cannot be")
            }
        }

        private func permit(_ mode: Int, _ path: String) throws {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
    }
}

private struct Doctor {
    let server: RunningServer
    let token: String
    var options: [String] = []

    init(_ server: RunningServer, _ token: String) {
        (self.server, self.token) = (server, token)
    }

    /// Fails the test unless all is well, and everything was looked at but for what is named.
    func expectWell(notChecking unchecked: String? = nil) async throws {
        let (outcome, checks) = try await look()
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        for check in checks {
            let isUnchecked = check["name"]?.string == unchecked
            #expect(check["ok"] == (isUnchecked ? .null : true), "\(check)")
            #expect(check["checked"] == .bool(!isUnchecked), "\(check)")
        }
        let report = try JSONValue(parsing: Array(outcome.output.utf8), limits: .default)
        #expect(report["ok"] == true)
        #expect(report["complete"] == .bool(unchecked == nil))
        let names = Set(checks.compactMap { $0["name"]?.string })
        let documents = ["harbour on iOS", "harbour on Android"]
        #expect(names.isSuperset(of: ["service", "token", "database", "key backup"] + documents))
    }

    /// Fails the test unless a check of this name finds all well, in these words.
    func expectChecked(_ name: String, _ words: String) async throws {
        let (_, checks) = try await look()
        let found = checks.first { $0["name"]?.string == name }
        #expect(found?["ok"] == true, "\(checks)")
        #expect(found?["detail"]?.string?.contains(words) == true, "\(checks)")
    }

    /// Fails the test unless a check of this name fails with these words, and says what to do.
    func expectIll(_ name: String, _ words: String) async throws {
        let (outcome, checks) = try await look()
        #expect(outcome.status == 1, "\(outcome.output)\(outcome.errors)")
        let illnesses = checks.filter { $0["ok"]?.bool == false }
        let found = illnesses.first { $0["name"]?.string == name }
        #expect(found?["detail"]?.string?.contains(words) == true, "\(name): \(illnesses)")
        #expect(found?["remedy"]?.string?.isEmpty == false)
    }

    private func look() async throws -> (Outcome, [JSONValue]) {
        let outcome = try await server.plimsoll(
            ["doctor", "--data", server.fixture.data.path, "--json"] + options,
            as: token
        )
        let json = try JSONValue(parsing: Array(outcome.output.utf8), limits: .default)
        return (outcome, try #require(json["checks"]?.array))
    }
}
