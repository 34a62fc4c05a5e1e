import Foundation
import PlimsollAPI
import Testing

extension ServiceTests {
    /// Keys that rotate under phones that know one of them alone.
    @Suite struct KeyRoadTests {
        private static let id = "3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07"
        private static let host = "k2.example"
        private static let plain = "/distribution/availability-ios"

        private static func variant(_ key: String) -> String {
            "/distribution/harbour/keys/\(key)/availability-ios"
        }

        // Goal: phones that know one key alone are never shown what they cannot check, while that
        // key signs; and nothing is served any more that a compromised one has signed.
        // Method: the second key is made by openssl and put in place. Phones of each kind poll all
        // the while, those of the new key through the compromise of the old one too, and check
        // every answer; openssl checks as well.
        @Test func `a rotation cuts nobody off, and a compromised key is gone for good`()
            async throws
        {
            try await ServerFixture.with { fixture in
                let environment = ["PLIMSOLL_KEY_HOSTS": "\(Self.host)=\(Self.id)"]
                try await fixture.run(environment: environment) { server in
                    let old = try await signer(server, Self.plain)
                    try await eventually("no document of another key") {
                        try await server.phone(Self.variant(Self.id)).status == 404 ? () : nil
                    }
                    try await addKey(server)
                    let list = try await server.phone("/distribution/keys.json").body
                    let phones = try Phones(of: list, fixture.transport)
                    let edge = try server.edge()
                    try await phones.polling([
                        .init(edge: edge, path: Self.variant(Self.id), key: Self.id),
                        .init(edge: edge, path: Self.plain, host: Self.host, key: Self.id),
                    ]) {
                        try await phones.polling([
                            .init(edge: edge, path: Self.plain, key: old),
                            .init(edge: edge, path: Self.variant(old), key: old),
                        ]) { try await activate(server, old) }
                        #expect(try await signer(server, Self.plain) == old)
                        try await compromise(server, old)
                    }
                    #expect(try await isGone(old, from: server))
                    #expect(try await signer(server, Self.plain) == Self.id)
                }
                // Not after a start either, when the export is all that the edge has.
                try await fixture.run { server in
                    let leader = try await signer(server, Self.plain)
                    #expect(leader == Self.id)
                }
            }
        }

        // Goal: an edge of its own shows nothing of a compromised key, although the list that its
        // operator gave it still trusts the key.
        // Method: the list is a copy from before, and is left as it is.
        @Test func `an edge of its own with an old list shows a compromised key no more`()
            async throws
        {
            try await ServerFixture.with { fixture in
                try await fixture.run { server in
                    let old = try await signer(server, Self.plain)
                    try await addKey(server)
                    try await run(["keys", "activate", Self.id], on: server)
                    _ = try await server.settle()
                    let export = fixture.data.appending(path: "export")
                    let list = fixture.folder.appending(path: "trusted.json")
                    try FileManager.default.copyItem(
                        at: export.appending(path: "keys.json"),
                        to: list
                    )
                    try await fixture.standaloneEdge(over: export, trusting: list) { edge in
                        let get = { path in try await fixture.phone(at: edge.address, path) }
                        try await eventually("an edge that shows both keys") {
                            let shown = try await get("/distribution/keys.json").body
                            let text = String(decoding: shown, as: UTF8.self)
                            return [old, Self.id].allSatisfy(text.contains) ? () : nil
                        }
                        try await compromise(server, old)
                        try await eventually("an edge of its own without the bad key") {
                            try await isGone(old, at: edge.address, of: fixture) ? () : nil
                        }
                        #expect(try await get("/distribution/keys/\(Self.id).pem").status == 200)
                        #expect(try await get(Self.plain).status == 200)
                    }
                }
            }
        }

        private func activate(_ server: RunningServer, _ old: String) async throws {
            try await run(["keys", "activate", Self.id], on: server)
            _ = try await server.settle()
            let openssl = OpenSSL(folder: server.fixture.folder)
            for path in [Self.plain, Self.variant(old), Self.variant(Self.id)] {
                let answer = try await server.phone(path)
                let isSigned = try await openssl.verifies(answer) { try await server.phone($0) }
                #expect(isSigned, "\(path)")
            }
        }

        private func compromise(_ server: RunningServer, _ key: String) async throws {
            try await run(
                ["keys", "compromise", key, "--reason", "It leaked", "--yes"],
                on: server
            )
            try await eventually("an edge without the bad key") {
                try await isGone(key, from: server) ? () : nil
            }
            _ = try await server.settle()
        }

        /// In the form that openssl writes keys in by itself.
        private func addKey(_ server: RunningServer) async throws {
            let file = server.fixture.data.appending(path: "keys/harbour/\(Self.id).pem").path
            let made = try await Program.run(
                "openssl",
                ["ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", file]
            )
            try #require(made.status == 0, "\(made.errors)")
            let admin = try server.fixture.adminToken()
            let add = ["keys", "add", "--app", "harbour", "--id", Self.id]
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
            let open = try await server.plimsoll(add, as: admin)
            #expect(open.status == 1)
            #expect(open.errors.contains("chmod 600"))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
            try await run(add, on: server)
            try await eventually("the key among the published ones") {
                let list = try await server.phone("/distribution/keys.json")
                return String(decoding: list.body, as: UTF8.self).contains(Self.id) ? () : nil
            }
        }

        private func run(_ arguments: [String], on server: RunningServer) async throws {
            let outcome = try await server.plimsoll(
                arguments,
                as: try server.fixture.adminToken()
            )
            try #require(outcome.status == 0, "\(outcome.errors)")
        }

        private func signer(_ server: RunningServer, _ path: String) async throws -> String {
            let header = try await server.phone(path).header("x-amz-meta-signature")
            let parts = try #require(header).split(separator: "\"")
            return String(try #require(parts.dropFirst().first))
        }

        /// Whether no answer names the key any more.
        private func isGone(_ key: String, from server: RunningServer) async throws -> Bool {
            try await isGone(key, at: try server.edge(), of: server.fixture)
        }

        private func isGone(
            _ key: String,
            at edge: String,
            of fixture: ServerFixture
        ) async throws -> Bool {
            let paths = [
                Self.plain, Self.variant(key), Self.variant(Self.id), "/distribution/keys.json",
                "/distribution/keys/\(key).pem", "/distribution/harbour/prince-of-versions.json",
                "/distribution/harbour/manifest.json", "/distribution/harbour/manifest.json.sig",
            ]
            for path in paths {
                let answer = try await fixture.phone(at: edge, path)
                let header = answer.header("x-amz-meta-signature") ?? ""
                if header.contains(key) { return false }
                if String(decoding: answer.body, as: UTF8.self).contains(key) { return false }
            }
            return true
        }
    }
}
