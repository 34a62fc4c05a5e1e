import Foundation
import Logging
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollEdge
import PlimsollSystem
import PlimsollTestSupport
import ServiceLifecycle
import Testing

@testable import PlimsollPublishing

@Suite(.timeLimit(.minutes(5))) struct WebOriginTests {
    /// Runs the body against an edge that has what is written to the folder.
    private func withEdge(
        _ builder: SnapshotBuilder,
        _ body: (_ origin: WebOrigin, _ publish: (Int64) async throws -> Void) async throws -> Void
    ) async throws {
        let export = Path(NSTemporaryDirectory() + "plimsoll-origin-\(UUID().uuidString)")
        defer { try? export.removeTree() }
        let logger = Logger(label: "edge") { _ in SwiftLogNoOpLogHandler() }
        let edge = EdgeService(EdgeConfiguration(port: 0), logger: logger)
        var settings = SnapshotLoader.Settings(export: export)
        settings.proofs = { _, _, _ in .proven(cosignatures: 0) }
        let loader = SnapshotLoader(
            settings,
            trusting: builder.trusted,
            edge: edge,
            logger: logger
        )
        let group = ServiceGroup(services: [edge], logger: logger)
        try await withThrowingDiscardingTaskGroup { tasks in
            tasks.addTask(name: "edge") { try await group.run() }
            do {
                let port = try await edge.address().port
                let address = try #require(ServiceAddress("http://127.0.0.1:\(port)"))
                try await body(WebOrigin(address)) { sequence in
                    try builder.write(sequence, to: export)
                    await loader.load(builder.app)
                }
            } catch {
                await group.triggerGracefulShutdown()
                throw error
            }
            await group.triggerGracefulShutdown()
        }
    }

    private func origin(_ port: Int) throws -> WebOrigin {
        WebOrigin(try #require(ServiceAddress("http://127.0.0.1:\(port)")))
    }

    @Test func `an edge is an origin of what it serves`() async throws {
        let builder = try SnapshotBuilder()
        try await withEdge(builder) { origin, publish in
            guard case .absent = try await origin.current(of: builder.app, unless: nil) else {
                Issue.record("an empty edge has something")
                return
            }
            var mark: OriginMark?
            for number: Int64 in 1...2 {
                try await publish(number)
                let reading = try await origin.current(of: builder.app, unless: mark)
                guard case .found(let found, let newest) = reading else {
                    Issue.record("the edge has nothing new: \(reading)")
                    return
                }
                let verified = try Manifest.verify(
                    found.manifest,
                    signatures: found.signatures,
                    keys: builder.trusted,
                    expectedApp: builder.app
                ).verify(found.bodies)
                #expect(verified.manifest.manifest.sequence.rawValue == number)
                guard case .unchanged = try await origin.current(of: builder.app, unless: newest)
                else {
                    Issue.record("what is known was fetched again")
                    return
                }
                mark = newest
            }
        }
    }

    @Test func `files of two publications are read again, and then given up`() async throws {
        let builder = try SnapshotBuilder()
        let (old, new) = (try builder.snapshot(7), try builder.snapshot(8))
        try await ScriptedServer.with { request in
            let isManifest = request.text.contains("/manifest.json ")
            let body = isManifest ? new.manifest.bytes : old.files[0].body
            return .bytes(
                Publisher.unsigned("200 OK", fields: ["ETag": "\"1\""], body: Data(body))
            )
        } _: { server, port in
            let origin = try origin(port)
            await #expect(throws: OriginMismatch.self) {
                try await origin.current(of: builder.app, unless: nil)
            }
            let manifests = server.requests.filter { $0.text.contains("/manifest.json ") }
            #expect(manifests.count == 3)
        }
    }

    @Test(arguments: ["500 Internal Server Error", "301 Moved Permanently", "304 Not Modified"])
    func `an answer that is none is no snapshot`(status: String) async throws {
        let app = try SnapshotBuilder().app
        try await ScriptedServer.with { _ in
            .bytes(Publisher.unsigned(status, fields: ["Location": "http://127.0.0.1:1/"]))
        } _: { _, port in
            let origin = try origin(port)
            await #expect(throws: OriginMismatch.self) {
                try await origin.current(of: app, unless: nil)
            }
        }
    }

    @Test func `a proof that comes later is fetched alone, and once`() async throws {
        let app = try SnapshotBuilder().app
        try await ScriptedServer.with { request in
            let isManifest = request.text.contains("/manifest.json ")
            let isKnown = request["If-None-Match"] == (isManifest ? "\"7\"" : "\"p\"")
            let status = isKnown ? "304 Not Modified" : "200 OK"
            let body = isKnown ? Data() : Data("proof".utf8)
            return .bytes(Publisher.unsigned(status, fields: ["ETag": "\"p\""], body: body))
        } _: { server, port in
            let origin = try origin(port)
            let reading = try await origin.current(of: app, unless: OriginMark("\"7\""))
            guard case .proven(let proof, let mark) = reading else {
                Issue.record("\(reading)")
                return
            }
            #expect(proof == Array("proof".utf8))
            #expect(mark == OriginMark("\"7\"", proof: "\"p\""))
            guard case .unchanged = try await origin.current(of: app, unless: mark) else {
                Issue.record("a proof that is known was fetched again")
                return
            }
            #expect(server.requests.count == 4)
        }
    }

    @Test(arguments: ["404 Not Found", "500 Internal Server Error"])
    func `an edge without proofs is an origin as it was`(status: String) async throws {
        let app = try SnapshotBuilder().app
        try await ScriptedServer.with { request in
            let isManifest = request.text.contains("/manifest.json ")
            return .bytes(
                Publisher.unsigned(isManifest ? "304 Not Modified" : status, body: Data())
            )
        } _: { _, port in
            let mark = OriginMark("\"7\"")
            guard case .unchanged = try await origin(port).current(of: app, unless: mark) else {
                Issue.record("what is known was fetched again")
                return
            }
        }
    }

    @Test func `a manifest that is none is no snapshot`() async throws {
        let app = try SnapshotBuilder().app
        try await ScriptedServer.with { _ in
            .bytes(
                Publisher.unsigned("200 OK", fields: ["ETag": "\"1\""], body: Data("{}".utf8))
            )
        } _: { _, port in
            let origin = try origin(port)
            await #expect(throws: OriginMismatch("The manifest of harbour cannot be read.")) {
                try await origin.current(of: app, unless: nil)
            }
        }
    }
}

extension SnapshotBuilder {
    /// Writes a snapshot to an export folder, and leads the link to it.
    fileprivate func write(_ sequence: Int64, to export: Path) throws {
        let snapshot = try snapshot(sequence)
        let folder = export / "snapshots" / app.text / "\(sequence)"
        try folder.createFolder()
        for file in snapshot.files {
            try (folder / file.description.name.text).writeDurably(file.body)
        }
        try (folder / Manifest.fileName).writeDurably(snapshot.manifest.bytes)
        try (folder / Manifest.signaturesFileName).writeDurably(snapshot.manifest.signatures.bytes)
        try (export / "current").createFolder()
        try (export / "current" / app.text).pointSymbolicLink(
            to: "../snapshots/\(app)/\(sequence)"
        )
    }
}
