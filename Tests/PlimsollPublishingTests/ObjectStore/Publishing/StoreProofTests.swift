import PlimsollDocuments
import PlimsollEdge
import PlimsollLog
import PlimsollTestSupport
import Testing

@testable import PlimsollPublishing

/// The way of a proof to a store, and from there to an edge.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct StoreProofTests {
    private let path = "distribution/harbour/proof.json"

    @Test func `a proof comes to the store later, and goes with the next snapshot`() async throws {
        try await StoreServer.with { server in
            let (builder, log) = (try SnapshotBuilder(), try BuiltLog())
            let sink = StoreSink(try server.place(), cacheControl: "public, max-age=60", now: now)
            let first = try builder.snapshot(7)
            try await sink.take(Publication(first))
            #expect(try await server.object(path) == nil)
            let proof = try log.proof(of: first)
            try await sink.take(proof, of: Publication(first))
            let kept = "\(SnapshotPointer(first).folder)/proof.json"
            for key in [path, kept] {
                let object = try #require(try await server.object(key))
                #expect(object.body == proof.proof.bytes)
                #expect(object.header("Content-Type") == "application/json")
                #expect(object.header("Cache-Control") == "public, max-age=60")
            }
            let better = try log.proof(of: first, size: 9)
            try await sink.take(Publication(first))
            #expect(try await server.object(path)?.body == proof.proof.bytes)
            try await sink.take(better, of: Publication(first))
            #expect(try await server.object(path)?.body == better.proof.bytes)
            let second = try builder.snapshot(8)
            try await sink.take(Publication(second))
            #expect(try await server.object(path) == nil)
            #expect(try await server.object(kept)?.body == better.proof.bytes)
            await #expect(throws: SinkRefusal.self) {
                try await sink.take(better, of: Publication(first))
            }
            #expect(try await server.object(path) == nil)
        }
    }

    @Test func `an edge has a proof from the store, at once or later`() async throws {
        try await StoreServer.with { server in
            let (builder, log) = (try SnapshotBuilder(), try BuiltLog())
            let place = try server.place()
            let sink = StoreSink(place, cacheControl: "public, max-age=60", now: now)
            let origin = StoreOrigin(place, now: now)
            let snapshot = try builder.snapshot(7)
            try await sink.take(Publication(snapshot))
            guard
                case .found(let bare, let mark) = try await origin.current(
                    of: builder.app,
                    unless: nil
                )
            else { throw Unexpected() }
            #expect(bare.proof == nil)
            let proof = try log.proof(of: snapshot)
            try await sink.take(proof, of: Publication(snapshot))
            guard
                case .proven(let bytes, let newer) = try await origin.current(
                    of: builder.app,
                    unless: mark
                )
            else { throw Unexpected() }
            #expect(bytes == proof.proof.bytes)
            guard case .unchanged = try await origin.current(of: builder.app, unless: newer) else {
                throw Unexpected()
            }
            guard
                case .found(let whole, _) = try await origin.current(of: builder.app, unless: nil)
            else { throw Unexpected() }
            #expect(whole.proof == proof.proof.bytes)
        }
    }
}

private struct Unexpected: Error {}
