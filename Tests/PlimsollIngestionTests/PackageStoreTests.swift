import FoundationEssentials
import PlimsollAPI
import PlimsollDomain
import PlimsollMarketplace
import PlimsollSystem
import PlimsollTestSupport
import Testing

@testable import PlimsollIngestion
@testable import PlimsollPublishing

/// Packages come to an object store whole or not at all, byte for byte.
@Suite(.timeLimit(.minutes(5))) struct PackageStoreTests {
    /// One file of several parts, and others of one.
    private static let sample = SampleDistribution(
        variants: ["Variant-A": 20_000_000, "variant-b": 4096],
        deltas: ["delta-1": 1],
        chunkSize: 1 << 23
    )

    @Test func `everything is there with what caches need, and the manifest came last`()
        async throws
    {
        try await StoreProcess.with { server in
            try await laidOut(Self.sample) { folder, package in
                try await take(package, from: folder, to: server)
                var files = Self.sample.files
                files["signature"] = Self.sample.signature
                files["manifest.json"] = Self.sample.manifest
                for (path, bytes) in files {
                    let object = try #require(try await object(path, in: server), "\(path)")
                    #expect(object.body == bytes, "\(path)")
                    #expect(object.header("cache-control") == "public, max-age=31536000, immutable")
                    let kind =
                        path == "manifest.json" ? "application/json" : "application/octet-stream"
                    #expect(object.header("content-type") == kind)
                    #expect(object.header("x-amz-meta-manifest") == package.digest.hex)
                }
                let written = try await writes(server)
                #expect(written.last?.hasSuffix("/878123456789/1/manifest.json") == true)
                // Again: nothing is left to do.
                try await take(package, from: folder, to: server)
                #expect(try await writes(server) == written)
            }
        }
    }

    /// What was written stays, and nobody sees more than it.
    @Test(arguments: [StoreProcess.Behavior.away, .refusing])
    func `a store that fails has no manifest, and is gone on with`(
        behavior: StoreProcess.Behavior
    ) async throws {
        try await StoreProcess.with { server in
            try await laidOut(Self.sample) { folder, package in
                try await be(behavior, server)
                await #expect(throws: (any Error).self) {
                    try await take(package, from: folder, to: server)
                }
                try await be(.well, server)
                #expect(try await object("manifest.json", in: server) == nil)
                try await take(package, from: folder, to: server)
                let body = try await object("variant/Variant-A.ipa", in: server)?.body
                #expect(body == Self.sample.files["variant/Variant-A.ipa"])
            }
        }
    }

    @Test func `an answer that was lost is looked for, not asked for again`() async throws {
        let small = SampleDistribution()
        try await StoreProcess.with { server in
            try await laidOut(small) { folder, package in
                try await be(.lost, server)
                try await take(package, from: folder, to: server)
                #expect(try await object("manifest.json", in: server)?.body == small.manifest)
                let written = try await writes(server)
                #expect(Set(written).count == written.count)
            }
        }
    }

    @Test func `a part whose answer was lost is sent again, and counts once`() async throws {
        try await StoreProcess.with { server in
            try await laidOut(Self.sample) { folder, package in
                _ = try await asked(server.url(of: .lost, times: 4))
                try await take(package, from: folder, to: server)
                let body = try await object("variant/Variant-A.ipa", in: server)?.body
                #expect(body == Self.sample.files["variant/Variant-A.ipa"])
            }
        }
    }

    @Test func `another package in its place is never written over`() async throws {
        let other = SampleDistribution(variants: ["variant-b": 4095], chunkSize: 1 << 23)
        try await StoreProcess.with { server in
            try await laidOut(other) { try await take($1, from: $0, to: server) }
            try await laidOut(Self.sample) { folder, package in
                let way = IngestionFailure.inTheWay("878123456789/1/variant/variant-b.ipa")
                await #expect(throws: way) { try await take(package, from: folder, to: server) }
            }
            #expect(try await object("manifest.json", in: server)?.body == other.manifest)
        }
    }

    @Test func `an upload that comes second leaves no parts`() async throws {
        let bytes = [UInt8](repeating: 7, count: LargeObject.partSize + 1)
        let object = LargeObject(
            size: Int64(bytes.count),
            mediaType: "text/plain",
            cacheControl: "no-cache",
            metadata: [],
            bytes: { place, count in Array(bytes[Int(place)..<Int(place) + count]) }
        )
        try await StoreProcess.with { server in
            let now: @Sendable () -> Instant = { Instant(Date.now) }
            let bucket = server.address("").replacing("/?", with: "?")
            let address = try #require(StoreAddress(bucket))
            let place = try #require(StorePlace(address, environment: StoreProcess.environment))
            try await ObjectStore.with(place, now: now) { store in
                for isFirst in [true, false] {
                    let isWritten = try await store.put(object, "big", pause: { _ in })
                    #expect(isWritten == isFirst)
                    let left = try await store.send(.get, "", [(name: "uploads", value: "")])
                    #expect(left.status == 200)
                    #expect(StoreList.elements("UploadId", in: left.body) == [])
                }
            }
        }
    }

    @Test func `a file that has become shorter is not brought`() async throws {
        try await StoreProcess.with { server in
            try await laidOut(Self.sample) { folder, package in
                let path = folder.root / "878123456789" / "1" / "variant" / "Variant-A.ipa"
                try path.removeFile()
                await #expect(throws: IngestionFailure.incomplete("variant/Variant-A.ipa")) {
                    try await take(package, from: folder, to: server)
                }
                #expect(try await object("manifest.json", in: server) == nil)
            }
        }
    }

    // MARK: -

    private func laidOut(
        _ sample: SampleDistribution,
        _ body: (PackageFolder, IngestedPackage) async throws -> Void
    ) async throws {
        try await withScratchFolder { root in
            let manifest = try PackageManifest(parsing: sample.manifest)
            let folder = PackageFolder(root)
            let place = folder.place(of: manifest)
            for kind in ["variant", "delta"] { try (place / kind).createFolder() }
            for asset in manifest.assets {
                let bytes = try #require(sample.files[asset.path])
                try (place / asset).writeDurably(bytes)
            }
            try (place / PackagePlace.manifest).writeDurably(sample.manifest)
            try (place / PackagePlace.signature).writeDurably(sample.signature)
            let package = IngestedPackage(
                manifest: manifest,
                digest: ManifestDigest(of: sample.manifest),
                name: manifest.place.name,
                isComplete: true
            )
            try await body(folder, package)
        }
    }

    private func place(_ server: StoreProcess) throws -> StorePlace {
        let address = try #require(StoreAddress(server.address("packages")))
        return try #require(StorePlace(address, environment: StoreProcess.environment))
    }

    private func take(
        _ package: IngestedPackage,
        from folder: PackageFolder,
        to server: StoreProcess
    ) async throws {
        let store = PackageStore(try place(server)) { _ in try Task.checkCancellation() }
        try await store.take(package, from: folder)
    }

    private func object(_ path: String, in server: StoreProcess) async throws -> StoredObject? {
        let limits = Transport.Limits(bytesMaximum: 64 << 20)
        let now: @Sendable () -> Instant = { Instant(Date.now) }
        let reading = try await ObjectStore.with(try place(server), limits: limits, now: now) {
            try await $0.object("878123456789/1/\(path)")
        }
        if case .found(let object) = reading { return object }
        return nil
    }

    private func be(_ behavior: StoreProcess.Behavior, _ server: StoreProcess) async throws {
        _ = try await asked(server.url(of: behavior))
    }

    private func writes(_ server: StoreProcess) async throws -> [String] {
        try await asked(server.writes).split(separator: "\n").map(String.init)
    }

    private func asked(_ url: String) async throws -> String {
        let answer = try await Transport.with { try await $0.send(WebRequest(.get, url)) }
        return String(decoding: answer.body, as: UTF8.self)
    }
}
