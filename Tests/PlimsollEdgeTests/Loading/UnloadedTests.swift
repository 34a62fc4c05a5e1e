import Foundation
import PlimsollDocuments
import PlimsollDomain
import PlimsollSystem
import Testing

@testable import PlimsollEdge

/// What is said of an app that an edge is to serve and has nothing of.
@Suite(.timeLimit(.minutes(5))) struct UnloadedTests {
    private static let quay = "/distribution/quay/availability-ios"

    private func trusting(_ fixture: ExportFixture, _ apps: [String]) throws -> TrustedKeys {
        let own = TrustedKeys.Key(
            id: fixture.signer.keyID,
            app: fixture.app,
            publicKey: fixture.publicKey
        )
        let others = try apps.map {
            TrustedKeys.Key(id: KeyID(UUID()), app: try fixture.slug($0), publicKey: own.publicKey)
        }
        return TrustedKeys([own] + others)
    }

    private func status(_ request: String, _ table: EdgeTable) async throws -> Int {
        try await EdgeFixture.answer(to: request, table: table).status
    }

    @Test func `caches are told to keep what they have, until it is loaded`() async throws {
        try await ExportFixture.with { fixture in
            let edge = fixture.edge()
            let loader = fixture.loader(edge, trusting: try trusting(fixture, []))
            try await loader.loadAll()
            let path = EdgeFixture.get("/distribution/harbour/availability-ios")
            let answer = try await EdgeFixture.answer(to: path, table: edge.table)
            #expect(answer.status == 503)
            #expect(answer["cache-control"] == "no-store")
            #expect(answer["retry-after"] == "2")
            try fixture.publish(7)
            await loader.load(fixture.app)
            #expect(try await status(path, edge.table) == 200)
        }
    }

    @Test func `what was refused before anything was served is not told to be gone`() async throws {
        try await ExportFixture.with { fixture in
            try fixture.publish(7)
            try (fixture.folder(7) / "availability-ios").writeDurably(Array("spoilt".utf8))
            let edge = fixture.edge()
            try await fixture.loader(edge, trusting: try trusting(fixture, [])).loadAll()
            let request = EdgeFixture.get("/distribution/harbour/availability-ios")
            #expect(try await status(request, edge.table) == 503)
        }
    }

    @Test func `an app that is trusted no more is gone`() async throws {
        try await ExportFixture.with { fixture in
            let edge = fixture.edge()
            let loader = fixture.loader(edge, trusting: try trusting(fixture, ["quay"]))
            try fixture.publish(7)
            try await loader.loadAll()
            #expect(try await status(EdgeFixture.get(Self.quay), edge.table) == 503)
            await loader.trust(try trusting(fixture, []))
            #expect(try await status(EdgeFixture.get(Self.quay), edge.table) == 404)
        }
    }

    @Test(arguments: [
        (quay, 503), ("/distribution/quay/", 503), ("/distribution/quay", 503),
        ("/distribution/harbour/availability-android", 404), ("/distribution/keys/x.pem", 404),
        ("/distribution/other/availability-ios", 404), ("/distribution/quay2/x", 404),
        ("/.well-known/marketplace-kit", 503), ("/.well-known/security.txt", 404), ("/", 404),
        ("/distribution", 404),
        ("/elsewhere/quay/x", 404),
    ])
    func `only addresses that may be of an app that is missing are answered so`(
        path: String,
        expected: Int
    ) async throws {
        try await ExportFixture.with { fixture in
            let edge = fixture.edge()
            try fixture.publish(7)
            let keys = try trusting(fixture, ["quay"])
            try await fixture.loader(edge, trusting: keys).loadAll()
            #expect(try await status(EdgeFixture.get(path), edge.table) == expected)
        }
    }

    @Test(arguments: [(true, 404), (false, 503)])
    func `addresses without a name are missing until an app has them`(
        hasDefault: Bool,
        expected: Int
    ) async throws {
        try await ExportFixture.with { fixture in
            let edge = fixture.edge()
            try fixture.publish(7, isDefault: hasDefault)
            let keys = try trusting(fixture, ["quay"])
            let host = try #require(KeyHost("k2.example=\(UUID().uuidString.lowercased())"))
            try await fixture.loader(edge, trusting: keys, hosts: [host]).loadAll()
            let path = "/distribution/availability-android"
            #expect(try await status(EdgeFixture.get(path), edge.table) == expected)
            let request = "GET \(path) HTTP/1.1\r\nHost: k2.example\r\n\r\n"
            #expect(try await status(request, edge.table) == 503)
        }
    }

    @Test func `an edge that knows no keys yet knows of no address that it leads nowhere`()
        async throws
    {
        for path in [Self.quay, EdgeFixture.path, "/.well-known/marketplace-kit"] {
            #expect(try await status(EdgeFixture.get(path), .unloaded) == 503, "\(path)")
        }
        #expect(try await status(EdgeFixture.get("/"), .unloaded) == 404)
        #expect(try await status(EdgeFixture.get(Self.quay), .empty) == 404)
    }

    @Test(arguments: [(EdgeTable.unloaded, 503), (EdgeTable.empty, 405)])
    func `a device is told to come back to a marketplace that is missing`(
        table: EdgeTable,
        expected: Int
    ) async throws {
        let answer = try await BothListeners.$devices.withValue(EchoResponder()) {
            try await EdgeFixture.answer(to: DeviceFixture.post(), table: table)
        }
        #expect(answer.status == expected)
    }
}
