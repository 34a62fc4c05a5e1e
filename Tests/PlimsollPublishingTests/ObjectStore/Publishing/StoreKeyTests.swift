import PlimsollDocuments
import PlimsollDomain
@testable import PlimsollPublishing
import PlimsollTestSupport
import Testing

/// Keys that rotate, and their signatures in a store.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct StoreKeyTests {
    private let builder: SnapshotBuilder
    private let old: KeyID
    private let new: KeyID

    init() throws {
        builder = try SnapshotBuilder(keys: 2)
        (old, new) = (builder.keys[0], builder.keys[1])
    }

    private func sink(_ server: StoreServer) throws -> StoreSink {
        StoreSink(try server.place(), cacheControl: "public, max-age=60", now: now)
    }

    private func keys(_ server: StoreServer, under prefix: String = "") async throws -> [String] {
        try await ObjectStore.with(try server.place(), now: now) { store in
            try await store.keys(under: prefix)
        }
    }

    /// The key whose signature an object has, once that was checked.
    private func signer(_ server: StoreServer, _ key: String) async throws -> KeyID? {
        guard let object = try await server.object(key) else { return nil }
        let signature = try DistributionSignature(
            signatureHeader: object.header("x-amz-meta-signature"),
            dateHeader: object.header("x-amz-meta-signature-date")
        )
        _ = try signature.verify(object.body, keys: builder.trusted)
        return signature.keyID
    }

    /// The objects of the store in which a key is named, in whatever place.
    private func traces(of id: KeyID, _ server: StoreServer) async throws -> [String] {
        var traces: [String] = []
        for key in try await keys(server) where !key.hasPrefix("revoked/") {
            let object = try #require(try await server.object(key))
            let texts = [key, object.header("x-amz-meta-signature") ?? ""]
            let body = String(decoding: object.body, as: UTF8.self)
            if (texts + [body]).contains(where: { $0.contains(id.text) }) { traces.append(key) }
        }
        return traces
    }

    @Test func `each key has objects with its signature, and the leading one those without a key`()
        async throws
    {
        try await StoreServer.with { server in
            try await sink(server).take(try builder.publication(7))
            for name in SnapshotBuilder.files {
                for folder in ["distribution", "distribution/harbour"] {
                    #expect(try await signer(server, "\(folder)/\(name)") == new)
                }
                for key in [old, new] {
                    let place = "distribution/harbour/keys/\(key)/\(name)"
                    #expect(try await signer(server, place) == key)
                }
            }
            #expect(try await server.writes().last == "current/harbour")
        }
    }

    @Test func `a key that is retired has no objects any more, and what it signed stays`()
        async throws
    {
        try await StoreServer.with { server in
            let sink = try sink(server)
            let before = try builder.snapshot(7)
            try await sink.take(Publication(before))
            let after = try builder.snapshot(8, signedBy: [new])
            try await sink.take(Publication(after, formerKeys: [old]))
            #expect(try await keys(server, under: "distribution/harbour/keys/\(old)/").isEmpty)
            #expect(try await signer(server, "distribution/availability-ios") == new)
            let kept = try await server.object("\(SnapshotPointer(before).folder)/manifest.json")
            #expect(kept?.body == before.manifest.bytes)
        }
    }

    @Test func `nothing is left in the store of a key that is compromised`() async throws {
        try await StoreServer.with { server in
            let sink = try sink(server)
            try await sink.take(Publication(try builder.snapshot(6, signedBy: [new])))
            try await sink.take(Publication(try builder.snapshot(7, signedBy: [old])))
            try await sink.take(try builder.publication(8))
            #expect(try await !traces(of: old, server).isEmpty)
            let clean = Publication(
                try builder.snapshot(9, signedBy: [new]),
                formerKeys: [old],
                revokedKeys: [old]
            )
            try await sink.take(clean)
            #expect(try await traces(of: old, server).isEmpty)
            let folders = try await keys(server, under: "snapshots/harbour/")
            #expect(
                Set(folders.map { $0.split(separator: "/")[2].prefix { $0 != "-" } }) == ["6", "9"]
            )
            let found = try await keys(server)
            try await sink.take(clean)
            #expect(try await keys(server) == found)
        }
    }

    // Goal: whichever step of clearing fails, the next attempt finishes it. Method: the store stops
    // deleting after the n-th object, for every n.
    @Test func `clearing that was interrupted is finished by the next attempt`() async throws {
        try await StoreServer.with { server in
            let sink = try sink(server)
            for step in 0..<6 {
                let number = Int64(step) * 2 + 1
                try await sink.take(Publication(try builder.snapshot(number, signedBy: [old])))
                let clean = Publication(
                    try builder.snapshot(number + 1, signedBy: [new]),
                    formerKeys: [old],
                    // Another set each time, so that there is something to do.
                    revokedKeys: Set([old] + (try SnapshotBuilder(keys: step + 1)).keys)
                )
                try await server.be(.keeping, times: step)
                let refusal = await #expect(throws: SinkRefusal.self) { try await sink.take(clean) }
                #expect(refusal?.reason == "it answered 403 (AccessDenied)")
                let pointer = try #require(try await server.object("current/harbour"))
                #expect(try SnapshotPointer(parsing: pointer.body).sequence.rawValue == number + 1)
                try await server.be(.well)
                try await sink.take(clean)
                #expect(try await traces(of: old, server).isEmpty)
            }
        }
    }

    // Goal: a snapshot that was on its way while its key was called compromised is not left in the
    // store. Method: each write below its folder is held in turn until the store was cleared.
    @Test func `what a compromised key has signed does not come after the store was cleared`()
        async throws
    {
        try await StoreServer.with { server in
            let (one, other) = (try sink(server), try sink(server))
            try await one.take(Publication(try builder.snapshot(1, signedBy: [new])))
            for step in 1...(SnapshotBuilder.files.count + 2) {
                let late = Publication(try builder.snapshot(Int64(2 * step), signedBy: [old]))
                let clean = Publication(
                    try builder.snapshot(Int64(2 * step) + 1, signedBy: [new]),
                    formerKeys: [old],
                    // Another set each time, so that there is something to do.
                    revokedKeys: Set([old] + (try SnapshotBuilder(keys: step)).keys)
                )
                try await server.be(.holding, times: step)
                async let held: Void? = try? one.take(late)
                try #require(try await server.isHolding())
                try await other.take(clean)
                try await server.be(.well)
                _ = await held
                #expect(try await traces(of: old, server).isEmpty, "held at write \(step)")
                let folder = SnapshotPointer(late.snapshot).folder
                #expect(try await keys(server, under: folder).isEmpty, "held at write \(step)")
            }
        }
    }

    @Test func `the documents of a platform that the app has no more are taken away`()
        async throws
    {
        try await StoreServer.with { server in
            let sink = try sink(server)
            try await sink.take(try builder.publication(7))
            try await sink.take(Publication(try builder.snapshot(8, files: ["availability-ios"])))
            let left = try await keys(server, under: "distribution/")
            #expect(left.contains("distribution/availability-ios"))
            #expect(left.filter { $0.contains("android") } == [])
        }
    }

    @Test func `what others wrote is not taken away, nor what is newer`() async throws {
        try await StoreServer.with { server in
            try await sink(server).take(try builder.publication(9))
            let place = "distribution/harbour/robots.txt"
            try await ObjectStore.with(try server.place(), now: now) { store in
                let object = NewObject([], mediaType: "text/plain", cacheControl: "no-cache")
                let isNew = try await store.put(object, place, if: .absent)
                #expect(isNew)
                let before = try await store.keys(under: "distribution/")
                let older = Publication(try builder.snapshot(8, signedBy: [new]))
                try await StoreClearance(older, [], store).run()
                #expect(try await store.keys(under: "distribution/") == before)
            }
        }
    }

    @Test func `a list is read to its end, and a version that others replaced is not deleted`()
        async throws
    {
        try await StoreServer.with { server in
            try await ObjectStore.with(try server.place(), now: now) { store in
                let names = (1...5).map { "list/\($0)" }
                for name in names {
                    let object = NewObject([1], mediaType: "text/plain", cacheControl: "no-cache")
                    #expect(try await store.put(object, name, if: .absent))
                }
                #expect(try await store.keys(under: "list/", atATime: 2) == names)
                #expect(try await store.keys(under: "none/").isEmpty)
                let seen = try #require(try await store.head("list/1")).tag
                let other = NewObject([2], mediaType: "text/plain", cacheControl: "no-cache")
                #expect(try await store.put(other, "list/1", if: .unchanged(tag: seen)))
                #expect(try await !store.delete("list/1", if: seen))
                let newest = try #require(try await store.head("list/1")).tag
                #expect(try await store.delete("list/1", if: newest))
                #expect(try await store.delete("list/1", if: newest))
                #expect(try await store.keys(under: "list/") == Array(names.dropFirst()))
            }
        }
    }
}
