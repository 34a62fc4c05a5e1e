import Foundation
import PlimsollAPI
import PlimsollTestSupport
import Testing

extension ServiceTests {
    /// Keys that rotate, as edges see it that read a store or another edge.
    @Suite struct StoreKeyRoadTests {
        private static let plain = "/distribution/availability-ios"

        private static func variant(_ key: String) -> String {
            "/distribution/harbour/keys/\(key)/availability-ios"
        }

        // Goal: edges afar have the documents of each key, and let go of one that is compromised,
        // although nobody tells them of it. Method: one edge reads the store, another the first;
        // both trust a list that was copied while all was well. Phones of either key poll at both.
        @Test func `a rotation reaches edges afar, and so does a compromise`() async throws {
            try await StoreProcess.with { store in
                try await ServerFixture.with { fixture in
                    let environment = StoreProcess.environment.merging(
                        ["PLIMSOLL_EXPORT_STORES": store.address()]
                    ) { $1 }
                    try await fixture.run(environment: environment) { server in
                        let old = try signer(try await server.phone())
                        let new = try await addKey(server)
                        let list = try await publishedKeys(server, naming: new)
                        let file = fixture.folder.appending(path: "trusted.json")
                        try Data(list).write(to: file)
                        let phones = try Phones(of: list, fixture.transport)
                        try await edges(fixture, store, trusting: file) { edges in
                            try await rotate(server, edges, (old, new), phones)
                        }
                    }
                }
            }
        }

        private func rotate(
            _ server: RunningServer,
            _ edges: [String],
            _ keys: (old: String, new: String),
            _ phones: Phones
        ) async throws {
            let fixture = server.fixture
            try await phones.polling(
                edges.map { .init(edge: $0, path: Self.variant(keys.new), key: keys.new) }
            ) {
                try await phones.polling(
                    edges.flatMap { edge in
                        [Self.plain, Self.variant(keys.old)].map {
                            .init(edge: edge, path: $0, key: keys.old)
                        }
                    }
                ) {
                    try await run(["keys", "activate", keys.new], on: server)
                    for edge in edges {
                        try await eventually("the new key at the edge \(edge)") {
                            let answer = try await fixture.phone(at: edge, Self.variant(keys.new))
                            return answer.status == 200 ? () : nil
                        }
                        #expect(try await signer(fixture.phone(at: edge)) == keys.old)
                    }
                }
                try await run(
                    ["keys", "compromise", keys.old, "--reason", "It leaked", "--yes"],
                    on: server
                )
                for edge in edges {
                    try await eventually("the edge \(edge) without the bad key") {
                        try await isGone(keys.old, from: edge, fixture) ? () : nil
                    }
                    #expect(try await signer(fixture.phone(at: edge)) == keys.new)
                }
            }
        }

        /// Whether no answer names the key any more.
        private func isGone(
            _ key: String,
            from edge: String,
            _ fixture: ServerFixture
        ) async throws -> Bool {
            let manifest = "/distribution/harbour/manifest.json"
            for path in [Self.plain, manifest, "\(manifest).sig"] {
                let answer = try await fixture.phone(at: edge, path)
                let header = answer.header("x-amz-meta-signature") ?? ""
                guard answer.status == 200, !header.contains(key) else { return false }
                if String(decoding: answer.body, as: UTF8.self).contains(key) { return false }
            }
            return try await fixture.phone(at: edge, Self.variant(key)).status == 404
        }

        /// Lends the addresses of an edge that reads the store and of one that reads that edge.
        private func edges(
            _ fixture: ServerFixture,
            _ store: StoreProcess,
            trusting keys: URL,
            _ body: ([String]) async throws -> Void
        ) async throws {
            try await fixture.edge("near", from: store.address(), trusting: keys) { near in
                try await fixture.edge("far", from: "http://\(near)", trusting: keys) { far in
                    for edge in [near, far] {
                        try await eventually("the sample at the edge \(edge)") {
                            try await fixture.phone(at: edge).status == 200 ? () : nil
                        }
                    }
                    try await body([near, far])
                }
            }
        }

        private func addKey(_ server: RunningServer) async throws -> String {
            let output = try await run(["keys", "add", "--app", "harbour", "--json"], on: server)
            return String(try #require(output.firstMatch(of: #/"id":\s*"([0-9a-f-]{36})"/#)?.1))
        }

        private func publishedKeys(
            _ server: RunningServer,
            naming key: String
        ) async throws -> [UInt8] {
            try await eventually("the key among the published ones") {
                let list = try await server.phone("/distribution/keys.json").body
                return String(decoding: list, as: UTF8.self).contains(key) ? list : nil
            }
        }

        @discardableResult
        private func run(_ arguments: [String], on server: RunningServer) async throws -> String {
            let outcome = try await server.plimsoll(
                arguments,
                as: try server.fixture.adminToken()
            )
            try #require(outcome.status == 0, "\(outcome.errors)")
            return outcome.output
        }

        private func signer(_ answer: WebAnswer) throws -> String {
            let parts = try #require(answer.header("x-amz-meta-signature")).split(separator: "\"")
            return String(try #require(parts.dropFirst().first))
        }
    }
}
