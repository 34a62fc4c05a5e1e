import Foundation
import PlimsollAdmin
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
                        .expectIll("token", "A living token is needed.")
                    for key in try FileManager.default.subpathsOfDirectory(atPath: copy)
                    where key.hasSuffix(".pem") {
                        try FileManager.default.removeItem(atPath: "\(copy)/\(key)")
                    }
                    try await doctor.expectIll("key backup", copy)
                    // A copy that was taken elsewhere, as it should be.
                    try FileManager.default.removeItem(atPath: copy)
                    try await doctor.expectWell("cannot be seen from here")
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

    init(_ server: RunningServer, _ token: String) {
        (self.server, self.token) = (server, token)
    }

    /// Fails the test unless all is well, and a check says so with these words.
    func expectWell(_ words: String = "") async throws {
        let (outcome, checks) = try await look()
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(checks.allSatisfy { $0["ok"]?.bool == true })
        let names = Set(checks.compactMap { $0["name"]?.string })
        let documents = ["harbour on iOS", "harbour on Android"]
        #expect(names.isSuperset(of: ["service", "token", "database", "key backup"] + documents))
        #expect(words.isEmpty || outcome.output.contains(words), "\(outcome.output)")
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
            ["doctor", "--data", server.fixture.data.path, "--json"],
            as: token
        )
        let json = try JSONValue(parsing: Array(outcome.output.utf8), limits: .default)
        return (outcome, try #require(json["checks"]?.array))
    }
}
