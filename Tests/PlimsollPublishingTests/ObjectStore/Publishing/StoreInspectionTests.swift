import PlimsollDocuments
import PlimsollDomain
@testable import PlimsollPublishing
import PlimsollTestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(2)))
struct StoreInspectionTests {
    private func sink(_ server: StoreServer) throws -> StoreSink {
        StoreSink(try server.place(), cacheControl: "public, max-age=60", now: now)
    }

    @Test func `an inspection is marked, and phones find nothing of it`() async throws {
        try await StoreServer.with { server in
            let inspection = try EditionBuilder.inspection(at: 9)
            try await StoreInspection(inspection).write(to: try server.place(), now: now)
            let found = try #require(try await server.object("current/harbour"))
            #expect(found.header("x-amz-meta-plimsoll-inspection") == "9")
            let pointer = try SnapshotPointer(parsing: found.body)
            let manifest = try await server.object("\(pointer.folder)/manifest.json")
            #expect(manifest?.body == inspection.manifest.bytes)
            #expect(try await server.writes().allSatisfy { !$0.hasPrefix("distribution/") })
            // It may be looked at again.
            try await StoreInspection(inspection).write(to: try server.place(), now: now)
        }
    }

    @Test func `what is live is not replaced by an inspection`() async throws {
        try await StoreServer.with { server in
            try await sink(server).take(try SnapshotBuilder().publication(7))
            let writes = try await server.writes()
            let place = try server.place()
            let inspection = StoreInspection(try EditionBuilder.inspection(at: 9))
            let refusal = await #expect(throws: SinkRefusal.self) {
                try await inspection.write(to: place, now: now)
            }
            #expect(refusal?.reason == "something live is there; name another prefix")
            #expect(try await server.writes() == writes)
        }
    }

    @Test func `an inspection is not replaced by what is live`() async throws {
        try await StoreServer.with { server in
            let inspection = StoreInspection(try EditionBuilder.inspection(at: 9))
            try await inspection.write(to: try server.place(), now: now)
            let writes = try await server.writes()
            let (sink, snapshot) = (try sink(server), try SnapshotBuilder().snapshot(70))
            let refusal = await #expect(throws: SinkRefusal.self) {
                try await sink.take(Publication(snapshot))
            }
            #expect(
                refusal?.reason
                    == "what is there was exported for inspection; name another prefix"
            )
            #expect(try await server.writes() == writes)
        }
    }
}
