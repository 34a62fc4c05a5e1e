import PlimsollDocuments
import PlimsollDomain
import PlimsollEdge
@testable import PlimsollPublishing
import PlimsollTestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(2)))
struct StoreOriginTests {
    private func fetched(_ reading: OriginReading) -> (FetchedSnapshot, OriginMark)? {
        if case .found(let snapshot, let mark) = reading { (snapshot, mark) } else { nil }
    }

    @Test func `an origin has what a sink has brought, whole`() async throws {
        try await StoreServer.with { server in
            let (builder, place) = (try SnapshotBuilder(), try server.place())
            let origin = StoreOrigin(place, now: now)
            guard case .absent = try await origin.current(of: builder.app, unless: nil) else {
                Issue.record("an empty store has something")
                return
            }
            let sink = StoreSink(place, cacheControl: "public, max-age=60", now: now)
            var mark: OriginMark?
            for number: Int64 in 1...2 {
                let snapshot = try builder.snapshot(number)
                try await sink.take(Publication(snapshot))
                let reading = try await origin.current(of: builder.app, unless: mark)
                let (found, newest) = try #require(fetched(reading))
                let verified = try Manifest.verify(
                    found.manifest,
                    signatures: found.signatures,
                    keys: builder.trusted,
                    expectedApp: builder.app
                ).verify(found.bodies)
                #expect(verified == snapshot)
                let again = try await origin.current(of: builder.app, unless: newest)
                guard case .unchanged = again else {
                    Issue.record("what is known was fetched again")
                    return
                }
                mark = newest
            }
        }
    }

    @Test(arguments: ["{}", "", #"{"app":"quay","manifest":"","sequence":1}"#])
    func `a pointer that leads nowhere is no snapshot`(text: String) async throws {
        try await StoreServer.with { server in
            let (builder, place) = (try SnapshotBuilder(), try server.place())
            try await ObjectStore.with(place, now: now) { store in
                let pointer = NewObject(
                    Array(text.utf8),
                    mediaType: "application/json",
                    cacheControl: "no-cache"
                )
                let isNew = try await store.put(pointer, "current/harbour", if: .absent)
                #expect(isNew)
            }
            let origin = StoreOrigin(place, now: now)
            await #expect(throws: OriginMismatch.self) {
                try await origin.current(of: builder.app, unless: nil)
            }
        }
    }

    @Test func `files that are too large together are not all held`() async throws {
        let builder = try SnapshotBuilder()
        let manifest = try builder.snapshot(1).manifest
        #expect(manifest.manifest.files.count == 2)
        var fetched = 0
        await #expect(throws: OriginMismatch.self) {
            _ = try await FetchedSnapshot(of: builder.app, manifest: manifest.bytes) { _ in
                fetched += 1
                return [UInt8](repeating: 0, count: 33 << 20)
            }
        }
        #expect(fetched <= 3)
    }

    @Test func `a snapshot that is not there any more is missed`() async throws {
        try await StoreServer.with { server in
            let (builder, place) = (try SnapshotBuilder(), try server.place())
            let pointer = SnapshotPointer(try builder.snapshot(7))
            try await ObjectStore.with(place, now: now) { store in
                let object = NewObject(
                    pointer.bytes,
                    mediaType: SnapshotPointer.mediaType,
                    cacheControl: "no-cache"
                )
                let isNew = try await store.put(object, "current/harbour", if: .absent)
                #expect(isNew)
            }
            let origin = StoreOrigin(place, now: now)
            await #expect(throws: OriginMismatch("The snapshot 7 of harbour is missing.")) {
                try await origin.current(of: builder.app, unless: nil)
            }
        }
    }
}
