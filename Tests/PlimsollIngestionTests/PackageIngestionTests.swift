import Foundation
import PlimsollDomain
import PlimsollIngestion
import PlimsollMarketplace
import PlimsollSystem
import PlimsollTestSupport
import Synchronization
import Testing

/// Packages come whole or not at all, whatever happens on the way.
@Suite(.timeLimit(.minutes(2))) struct PackageIngestionTests {
    private let app = item(10_737_747_186)

    /// Everything that devices could ask for, by path.
    private func visible(_ folder: Path) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        func walk(_ path: Path, _ name: String) throws {
            for entry in try path.entries() where !entry.hasPrefix(".") {
                let inner = path / entry
                let label = name.isEmpty ? entry : "\(name)/\(entry)"
                if try inner.isFolder() {
                    try walk(inner, label)
                } else {
                    files[label] = try inner.read(sizeMaximum: 1 << 24)
                }
            }
        }
        if try folder.isFolder() { try walk(folder, "") }
        return files
    }

    private func expected(_ distribution: SampleDistribution, _ place: String) -> [String: [UInt8]]
    {
        var files = ["manifest.json": distribution.manifest, "signature": distribution.signature]
        files.merge(distribution.files) { $1 }
        return Dictionary(uniqueKeysWithValues: files.map { ("\(place)/\($0.key)", $0.value) })
    }

    @Test func `a package is laid out byte for byte`() async throws {
        let sample = SampleDistribution()
        let server = StandInConnect(sample)
        let last = Mutex<IngestionProgress?>(nil)
        try await withScratchFolder { folder in
            let ingested = try await server.serve {
                try await ingest(from: server, into: folder, of: [app]) { progress in
                    last.withLock { $0 = progress }
                }
            }
            #expect(ingested.isComplete && ingested.name == "878123456789/1/")
            #expect(ingested.digest == ManifestDigest(of: sample.manifest))
            #expect(try visible(folder) == expected(sample, "878123456789/1"))
            let package = ingested.package(
                id: packageID("p-1"),
                below: endpoint("https://market.example.com/p")
            )
            let address = "https://market.example.com/p/878123456789/1/"
            #expect(package?.address.text == address)
        }
        let end = try #require(last.withLock { $0 })
        #expect(end.done == end.total && end.total == 14_096)
        // A token goes to App Store Connect, and to nobody else.
        for asked in server.asked {
            #expect((asked.authorization != nil) == asked.path.hasPrefix("/v1/"))
        }
    }

    @Test func `a download that breaks goes on where it was`() async throws {
        let server = StandInConnect { path, _, usual in
            guard path.hasSuffix("variant-a.ipa"), usual.body.count > 3000 else { return nil }
            var cut = usual
            cut.cutAfter = 3000
            return cut
        }
        try await withScratchFolder { folder in
            try await server.serve { _ = try await ingest(from: server, into: folder) }
            #expect(try visible(folder).count == 4)
        }
        let ranges = server.fetches(of: "variant-a.ipa").map(\.range)
        #expect(ranges == [nil, "bytes=3000-", "bytes=6000-", "bytes=9000-"])
    }

    @Test func `a server that ignores ranges is read from the beginning`() async throws {
        let sample = SampleDistribution()
        let server = StandInConnect(sample) { path, count, usual in
            guard path.hasSuffix("variant-a.ipa"), count == 1, path.hasPrefix("/files/2/") else {
                return nil
            }
            var cut = usual
            cut.cutAfter = 5000
            return cut
        }
        server.ignoreRanges()
        try await withScratchFolder { folder in
            try await server.serve { _ = try await ingest(from: server, into: folder) }
            #expect(try visible(folder) == expected(sample, "878123456789/1"))
        }
    }

    @Test func `a piece that came wrong is fetched again, and that piece alone`() async throws {
        let sample = SampleDistribution()
        let server = StandInConnect(sample) { path, count, usual in
            guard path.hasSuffix("variant-a.ipa"), count == 1 else { return nil }
            var wrong = usual
            wrong.body[5000] ^= 1
            return wrong
        }
        try await withScratchFolder { folder in
            try await server.serve { _ = try await ingest(from: server, into: folder) }
            #expect(try visible(folder) == expected(sample, "878123456789/1"))
        }
        #expect(server.fetches(of: "variant-a.ipa").map(\.range) == [nil, "bytes=4096-"])
    }

    @Test func `a piece that is wrong every time ends it, and nothing is to be seen`() async throws
    {
        let server = StandInConnect { path, _, usual in
            guard path.hasSuffix("variant-b.ipa") else { return nil }
            var wrong = usual
            wrong.body[0] ^= 1
            return wrong
        }
        try await withScratchFolder { folder in
            await #expect(throws: IngestionFailure.wrongDigest("variant/variant-b.ipa", chunk: 0)) {
                try await server.serve { _ = try await ingest(from: server, into: folder) }
            }
            let seen = try visible(folder)
            #expect(seen.isEmpty)
        }
    }

    @Test func `more than the manifest says is not taken`() async throws {
        let server = StandInConnect { path, _, usual in
            guard path.hasSuffix("variant-b.ipa") else { return nil }
            var long = usual
            long.body += [UInt8](repeating: 7, count: 1 << 20)
            return long
        }
        try await withScratchFolder { folder in
            await #expect(throws: IngestionFailure.tooLong("variant/variant-b.ipa")) {
                try await server.serve { _ = try await ingest(from: server, into: folder) }
            }
            let seen = try visible(folder)
            #expect(seen.isEmpty)
        }
    }

    @Test func `whoever says when to come again is waited for`() async throws {
        let naps = Naps()
        let server = StandInConnect { _, count, _ in
            count == 1
                ? StandInConnect.Reply(status: 429, headers: [("retry-after", "7")]) : nil
        }
        try await withScratchFolder { folder in
            try await server.serve { _ = try await ingest(from: server, into: folder, naps) }
            #expect(try visible(folder).count == 4)
        }
        // Three resources and their three files.
        #expect(naps.all == Array(repeating: .seconds(7), count: 6))
    }

    @Test func `a server that stays away is given up`() async throws {
        let naps = Naps()
        let server = StandInConnect { path, _, _ in
            path.hasPrefix("/files/") ? StandInConnect.Reply(status: 503) : nil
        }
        try await withScratchFolder { folder in
            await #expect(throws: IngestionFailure.self) {
                try await server.serve { _ = try await ingest(from: server, into: folder, naps) }
            }
        }
        #expect(naps.all.count == 7)
        #expect(zip(naps.all, naps.all.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func `an address that has expired is asked for anew`() async throws {
        let server = StandInConnect { path, _, usual in
            // The second address of anything is the first that holds.
            guard path.hasPrefix("/files/2/") else { return nil }
            return StandInConnect.Reply(status: 403)
        }
        try await withScratchFolder { folder in
            try await server.serve { _ = try await ingest(from: server, into: folder) }
            #expect(try visible(folder).count == 4)
        }
        let asked = server.asked.filter { $0.path.contains("Variants/variant-a") }
        #expect(asked.count == 2)
    }

    @Test func `a redirect is followed to a file`() async throws {
        let server = StandInConnect { path, _, _ in
            guard path.hasPrefix("/files/"), path.hasSuffix(".ipa"), !path.contains("moved") else {
                return nil
            }
            let target =
                "/files/moved/" + path.split(separator: "/").dropFirst(2).joined(separator: "/")
            return StandInConnect.Reply(status: 302, headers: [("location", target)])
        }
        try await withScratchFolder { folder in
            try await server.serve { _ = try await ingest(from: server, into: folder) }
            #expect(try visible(folder).count == 4)
        }
    }

    @Test func `a redirect is not followed by whoever has a token, nor for ever`() async throws {
        let api = StandInConnect { path, _, _ in
            guard path.hasPrefix("/v1/") else { return nil }
            return StandInConnect.Reply(status: 302, headers: [("location", "/v1/elsewhere")])
        }
        let circle = StandInConnect { path, _, _ in
            guard path.hasSuffix(".ipa") else { return nil }
            return StandInConnect.Reply(status: 302, headers: [("location", path)])
        }
        for server in [api, circle] {
            try await withScratchFolder { folder in
                await #expect(throws: IngestionFailure.self) {
                    try await server.serve { _ = try await ingest(from: server, into: folder) }
                }
            }
        }
        #expect(api.asked.map(\.path) == ["/v1/alternativeDistributionPackageVersions/v-1"])
        #expect(circle.asked.count { $0.path.hasSuffix(".ipa") } == 4)
    }

    @Test func `a second visit brings what was added, and nothing twice`() async throws {
        let first = SampleDistribution()
        let second = SampleDistribution(revision: 2, deltas: ["delta-a": 700])
        let server = StandInConnect(first)
        try await withScratchFolder { folder in
            try await server.serve {
                _ = try await ingest(from: server, into: folder)
                let before = server.asked.count
                _ = try await ingest(from: server, into: folder)
                #expect(server.asked.dropFirst(before).allSatisfy { !$0.path.hasSuffix(".ipa") })
                server.give(second)
                let ingested = try await ingest(from: server, into: folder)
                #expect(ingested.name == "878123456789/2/")
            }
            let both = expected(first, "878123456789/1").merging(
                expected(second, "878123456789/2")
            ) { $1 }
            #expect(try visible(folder) == both)
        }
        #expect(server.fetches(of: "variant-a.ipa").count == 1)
        #expect(server.fetches(of: "delta-a.ipa").count == 1)
    }

    // Method: a process that ends just before the folder gets its name, and half way through a file.
    @Test func `a process that dies shows nothing, and the next one goes on`() async throws {
        let server = StandInConnect()
        try await withScratchFolder { folder in
            try await server.serve {
                let injection: FaultPoint.Injection = { name throws(FileError) in
                    guard "\(name)" == "ingestion.whole" else { return }
                    throw FileError(.rename, folder, code: 5)
                }
                await #expect(throws: FileError.self) {
                    try await FaultPoint.$injection.withValue(injection) {
                        _ = try await ingest(from: server, into: folder)
                    }
                }
                #expect(try visible(folder).isEmpty)
                _ = try await ingest(from: server, into: folder)
            }
            #expect(try visible(folder).count == 4)
        }
        #expect(server.fetches(of: "variant-a.ipa").count == 1)
    }

    @Test func `what a power cut left behind is looked at before it is gone on with`() async throws
    {
        let sample = SampleDistribution()
        let server = StandInConnect(sample)
        try await withScratchFolder { folder in
            let incoming = folder / ".incoming" / "878123456789-1"
            try (incoming / "variant").createFolder()
            try (incoming / "manifest.json").writeDurably(sample.manifest)
            var left = Array((sample.files["variant/variant-a.ipa"] ?? []).prefix(6000))
            left[5000] = left[5000] ^ 1
            try (incoming / "variant" / "variant-a.part").writeDurably(left)
            try await server.serve { _ = try await ingest(from: server, into: folder) }
            #expect(try visible(folder) == expected(sample, "878123456789/1"))
        }
        #expect(server.fetches(of: "variant-a.ipa").map(\.range) == ["bytes=4096-"])
    }

    @Test func `without a key of every variant it is not complete`() async throws {
        let server = StandInConnect()
        server.withholdKey(of: "variant-b")
        try await withScratchFolder { folder in
            let ingested = try await server.serve { try await ingest(from: server, into: folder) }
            #expect(!ingested.isComplete)
            let keys = folder / ".keys" / "878123456789-1.json"
            #expect(try keys.read(sizeMaximum: 100) == Array(#"{"variant-a":"a2V5"}"#.utf8))
            #expect(try keys.status()?.permissions == .ownerOnly)
        }
    }

    @Test func `a key that is not said again is kept`() async throws {
        let server = StandInConnect()
        try await withScratchFolder { folder in
            let keys = folder / ".keys" / "878123456789-1.json"
            _ = try await server.serve { try await ingest(from: server, into: folder) }
            let before = try keys.read(sizeMaximum: 100)
            server.withholdKey(of: "variant-b")
            let again = try await server.serve { try await ingest(from: server, into: folder) }
            #expect(again.isComplete)
            #expect(try keys.read(sizeMaximum: 100) == before)
        }
    }

    // A device asks for a licence of the file that it fetches, which may be a delta. Method: first
    // a folder without anything, then one that was laid out when keys of variants alone were kept.
    @Test func `the keys of deltas are kept with those of variants`() async throws {
        let server = StandInConnect(SampleDistribution(deltas: ["delta-a": 700]))
        let variants = #""variant-a":"a2V5","variant-b":"a2V5"}"#
        let all = Array((#"{"delta-a":"a2V5","# + variants).utf8)
        try await withScratchFolder { folder in
            let keys = folder / ".keys" / "878123456789-1.json"
            try await server.serve {
                _ = try await ingest(from: server, into: folder)
                #expect(try keys.read(sizeMaximum: 100) == all)
                try keys.writeDurably(Array("{\(variants)".utf8))
                _ = try await ingest(from: server, into: folder)
                #expect(try keys.read(sizeMaximum: 100) == all)
            }
        }
    }

    @Test func `a package of another app, and one that is not ready, are not fetched`() async throws
    {
        let server = StandInConnect()
        try await withScratchFolder { folder in
            try await server.serve {
                await #expect(throws: IngestionFailure.anotherApp(app)) {
                    _ = try await ingest(from: server, into: folder, of: [item(7)])
                }
                server.say("REPLACED")
                await #expect(throws: IngestionFailure.notReady("REPLACED")) {
                    _ = try await ingest(from: server, into: folder)
                }
            }
        }
        #expect(server.asked.allSatisfy { !$0.path.hasSuffix(".ipa") })
    }

    @Test func `of two at once one fetches`() async throws {
        let server = StandInConnect()
        try await withScratchFolder { folder in
            let manifest = try PackageManifest(parsing: SampleDistribution().manifest)
            let incoming = folder / ".incoming"
            try incoming.createFolder()
            let lock = try FileLock(incoming / "\(manifest.version)-1.lock")
            let failure = await #expect(throws: FileError.self) {
                try await server.serve { _ = try await ingest(from: server, into: folder) }
            }
            #expect(failure?.isHeldByAnother == true)
            _ = consume lock
        }
    }
}

/// Runs the body with a folder of its own, which is gone afterwards.
func withScratchFolder(_ body: (Path) async throws -> Void) async throws {
    let folder =
        Path(FileManager.default.temporaryDirectory.path)
        / "plimsoll-ingestion-\(UUID().uuidString)"
    try folder.createFolder(permissions: .folderOfOwner)
    do {
        try await body(folder)
        try folder.removeTree()
    } catch {
        // The first error explains; a folder left behind is only untidy.
        _ = try? folder.removeTree()
        throw error
    }
}
