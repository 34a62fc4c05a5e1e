import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
@testable import PlimsollPublishing
import PlimsollTestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(3)))
struct StoreSinkTests {
    private let cacheControl = "public, max-age=60, stale-while-revalidate=30, stale-if-error=86400"

    private func sink(
        _ server: StoreServer,
        environment: [String: String] = StoreServer.environment,
        limits: Transport.Limits = ObjectStore.usualLimits
    ) throws -> StoreSink {
        StoreSink(
            try server.place(environment: environment),
            cacheControl: cacheControl,
            limits: limits,
            now: now
        )
    }

    /// The sequence that the store's pointer has.
    private func current(_ server: StoreServer) async throws -> SnapshotSequence? {
        try await server.object("current/harbour").map {
            try SnapshotPointer(parsing: $0.body).sequence
        }
    }

    @Test func `a document comes from the store with its signature and its headers`() async throws {
        try await StoreServer.with { server in
            let builder = try SnapshotBuilder()
            let snapshot = try builder.snapshot(7)
            try await sink(server).take(Publication(snapshot))
            for file in snapshot.files {
                for folder in ["distribution/harbour", "distribution"] {
                    let key = "\(folder)/\(file.description.name)"
                    let object = try #require(try await server.object(key))
                    let signature = try DistributionSignature(
                        signatureHeader: object.header("x-amz-meta-signature"),
                        dateHeader: object.header("x-amz-meta-signature-date")
                    )
                    #expect(object.body == file.body)
                    _ = try signature.verify(object.body, keys: builder.trusted)
                    #expect(object.header("Content-Type") == "application/json")
                    #expect(object.header("Cache-Control") == cacheControl)
                }
            }
            let manifest = try await server.object("distribution/harbour/manifest.json")
            #expect(manifest?.body == snapshot.manifest.bytes)
        }
    }

    @Test func `another app than the default one has its own addresses only`() async throws {
        try await StoreServer.with { server in
            try await sink(server).take(
                try SnapshotBuilder("quay").publication(7, isDefault: false)
            )
            #expect(try await server.object("distribution/quay/availability-ios") != nil)
            #expect(try await server.object("distribution/availability-ios") == nil)
        }
    }

    // Method: the new default app has no document for Android, and both take turns afterwards.
    @Test func `the addresses without a name go to another app, and nothing of the first stays`()
        async throws
    {
        try await StoreServer.with { server in
            let (harbour, quay) = (try SnapshotBuilder(), try SnapshotBuilder("quay"))
            let (ios, android) = (
                "distribution/availability-ios", "distribution/availability-android"
            )
            try await sink(server).take(try harbour.publication(7))
            let chosen = try quay.snapshot(9, files: ["availability-ios"])
            let publications = [
                Publication(chosen), try harbour.publication(9, isDefault: false),
                try harbour.publication(12, isDefault: false), Publication(chosen),
            ]
            for publication in publications {
                try await sink(server).take(publication)
                #expect(try await server.object(ios)?.body == chosen.files[0].body)
                #expect(try await server.object(android) == nil)
            }
            #expect(try await server.object("distribution/harbour/availability-android") != nil)
            try await sink(server).take(try harbour.publication(14))
            #expect(try await server.object(android) != nil)
            // What was overtaken takes nothing back.
            try? await sink(server).take(Publication(chosen))
            #expect(try await server.object(android) != nil)
        }
    }

    @Test func `the snapshot is there first, then both platforms, and the pointer is last`()
        async throws
    {
        try await StoreServer.with { server in
            try await sink(server).take(try SnapshotBuilder().publication(7))
            let folders = try await server.writes().map { $0.prefix { $0 != "/" } }
            #expect(
                folders == Array(repeating: "snapshots", count: 4)
                    + Array(repeating: "distribution", count: 8) + ["current"]
            )
            #expect(try await current(server)?.rawValue == 7)
        }
    }

    @Test func `what is there already is not written again`() async throws {
        try await StoreServer.with { server in
            let snapshot = try SnapshotBuilder().snapshot(7)
            try await sink(server).take(Publication(snapshot))
            let writes = try await server.writes()
            try await sink(server).take(Publication(snapshot))
            #expect(try await server.writes() == writes)
        }
    }

    @Test func `an older snapshot is refused and overwrites nothing`() async throws {
        try await StoreServer.with { server in
            let builder = try SnapshotBuilder()
            try await sink(server).take(try builder.publication(9))
            let writes = try await server.writes()
            let sink = try sink(server)
            let older = try builder.snapshot(8)
            let refusal = await #expect(throws: SinkRefusal.self) {
                try await sink.take(Publication(older))
            }
            #expect(
                refusal?.reason
                    == "it has snapshot 9, and 8 is older; nothing is overwritten"
            )
            #expect(try await server.writes() == writes)
        }
    }

    @Test func `a document that was brought for a newer snapshot is never overwritten`()
        async throws
    {
        try await StoreServer.with { server in
            let builder = try SnapshotBuilder()
            let newer = try builder.snapshot(9)
            try await sink(server).take(Publication(newer))
            // As if whoever brought it had died before the pointer.
            try await ObjectStore.with(try server.place(), now: now) { store in
                let key = "current/harbour"
                let found = try #require(try await store.head(key))
                let old = SnapshotPointer(try builder.snapshot(7))
                let object = NewObject(old.bytes, mediaType: "application/json", cacheControl: "no")
                let isNew = try await store.put(object, key, if: .unchanged(tag: found.tag))
                #expect(isNew)
            }
            let sink = try sink(server)
            let older = try builder.snapshot(8)
            await #expect(throws: SinkRefusal.self) { try await sink.take(Publication(older)) }
            let document = try await server.object("distribution/availability-ios")
            #expect(document?.body == newer.files.last?.body)
        }
    }

    @Test func `a write that others overtook does not happen`() async throws {
        try await StoreServer.with { server in
            try await ObjectStore.with(try server.place(), now: now) { store in
                func isWritten(
                    _ text: String,
                    at key: String = "key",
                    _ condition: PutCondition
                ) async throws -> Bool {
                    let bytes = Array(text.utf8)
                    let object = NewObject(bytes, mediaType: "text/plain", cacheControl: "no")
                    return try await store.put(object, key, if: condition)
                }
                #expect(try await isWritten("a", .absent))
                #expect(try await !isWritten("b", .absent))
                let seen = try #require(try await store.head("key")).tag
                #expect(try await isWritten("c", .unchanged(tag: seen)))
                #expect(try await !isWritten("d", .unchanged(tag: seen)))
                #expect(try await !isWritten("e", at: "none", .unchanged(tag: seen)))
                guard case .found(let left) = try await store.object("key") else {
                    Issue.record("the object is gone")
                    return
                }
                #expect(left.body == Array("c".utf8))
                guard case .unchanged = try await store.object("key", unless: left.tag) else {
                    Issue.record("a version that is known was sent again")
                    return
                }
            }
        }
    }

    // Goal: however many instances publish to one store at once, what it has never gets older.
    // Method: ten sinks bring ten snapshots at the same time, again and again until they are in
    // or overtaken; a reader looks at the pointer all the while.
    @Test func `of many at once the newest stays`() async throws {
        try await StoreServer.with { server in
            let builder = try SnapshotBuilder()
            let snapshots = try (1...10).map { try builder.snapshot($0) }
            let sequences = try await withThrowingTaskGroup(of: [SnapshotSequence].self) { group in
                for snapshot in snapshots.shuffled() {
                    let sink = try sink(server)
                    group.addTask(name: "instance") {
                        // Others are newer, or came in between.
                        _ = try? await sink.take(Publication(snapshot))
                        return []
                    }
                }
                group.addTask(name: "reader") {
                    var seen: [SnapshotSequence] = []
                    for _ in 1...50 {
                        if let sequence = try await current(server) { seen.append(sequence) }
                    }
                    return seen
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            try await sink(server).take(Publication(try #require(snapshots.last)))
            #expect(sequences == sequences.sorted())
            #expect(try await current(server)?.rawValue == 10)
            let document = try await server.object("distribution/availability-ios")
            #expect(document?.body == snapshots.last?.files.last?.body)
        }
    }

    @Test func `what others left at an address is replaced`() async throws {
        try await StoreServer.with { server in
            let key = "distribution/availability-ios"
            try await ObjectStore.with(try server.place(), now: now) { store in
                let old = NewObject([0x7B, 0x7D], mediaType: "text/plain", cacheControl: "no")
                let isNew = try await store.put(old, key, if: .absent)
                #expect(isNew)
            }
            let snapshot = try SnapshotBuilder().snapshot(7)
            try await sink(server).take(Publication(snapshot))
            #expect(try await server.object(key)?.body == snapshot.files.last?.body)
        }
    }
}
