import Logging
import Metrics
import PlimsollDocuments
import PlimsollDomain
import PlimsollLog
import PlimsollSystem
import PlimsollTestSupport
import Testing

@testable import PlimsollEdge

/// What an edge makes of the proofs beside manifests.
///
/// Its reader takes a proof for good that names the manifest's sequence, as in `proof of 7`.
@Suite(.timeLimit(.minutes(2)))
struct ManifestProofTests {
    private let path = "/distribution/harbour/proof.json"

    private func loader(
        _ fixture: ExportFixture,
        _ edge: EdgeService,
        quorum: Int = 0,
        hasSeveralOrigins: Bool = false,
        _ logger: Logger = Logger(label: "edge")
    ) -> SnapshotLoader {
        var settings = SnapshotLoader.Settings(export: fixture.export, memory: fixture.memory)
        settings.proofs = { bytes, manifest, _ in
            let text = String(decoding: bytes, as: UTF8.self)
            let good = "proof of \(manifest.manifest.sequence)"
            // A star for each witness.
            let witnesses = text.count { $0 == "*" }
            let isGood = text.hasPrefix(good)
            return isGood ? .proven(cosignatures: witnesses) : .refused("another one")
        }
        settings.quorum = quorum
        settings.hasSeveralOrigins = hasSeveralOrigins
        return SnapshotLoader(
            settings,
            trusting: fixture.trusted,
            edge: edge,
            logger: logger
        )
    }

    private func sequence(_ number: Int64) throws -> SnapshotSequence {
        try #require(SnapshotSequence(rawValue: number))
    }

    private func put(_ text: String, _ fixture: ExportFixture, _ sequence: Int64) throws {
        let file = fixture.folder(sequence) / Manifest.proofFileName
        try file.writeDurably(Array(text.utf8))
    }

    @Test func `a proof is served as it comes, with the manifest that it is of`() async throws {
        try await ExportFixture.with { fixture in
            let edge = fixture.edge()
            let loader = loader(fixture, edge)
            try fixture.publish(7)
            #expect(await loader.load(fixture.app) == .loaded(try sequence(7)))
            #expect(edge.table.body(path) == nil)
            try put("proof of 7", fixture, 7)
            #expect(await loader.load(fixture.app) == .proven(try sequence(7)))
            #expect(edge.table.body(path) == "proof of 7")
            #expect(edge.table.head(path)?.contains("application/json") == true)
            #expect(edge.table.head(path)?.contains("max-age=60") == true)
            #expect(edge.table.body("/distribution/proof.json") == nil)
            #expect(await loader.load(fixture.app) == .unchanged(try sequence(7)))
            try put("proof of 7, cosigned", fixture, 7)
            #expect(await loader.load(fixture.app) == .proven(try sequence(7)))
            #expect(edge.table.body(path) == "proof of 7, cosigned")
        }
    }

    @Test func `the proof of one snapshot is not served with another`() async throws {
        try await ExportFixture.with { fixture in
            let edge = fixture.edge()
            let loader = loader(fixture, edge)
            try fixture.publish(7)
            try put("proof of 7", fixture, 7)
            await loader.load(fixture.app)
            #expect(edge.table.body(path) == "proof of 7")
            try fixture.publish(8)
            await loader.load(fixture.app)
            #expect(edge.table.body(path) == nil)
            try fixture.publish(9)
            try put("proof of 9", fixture, 9)
            try await loader.loadAll()
            #expect(edge.table.body(path) == "proof of 9")
        }
    }

    @Test(arguments: ["", "proof of 6", "soup"])
    func `a damaged or forged proof takes nothing down and is not served`(
        _ text: String
    ) async throws {
        try await ExportFixture.with { fixture in
            let notebook = MetricsNotebook()
            try await withMetricsFactory(notebook) {
                let edge = fixture.edge()
                let loader = loader(fixture, edge)
                try fixture.publish(7)
                try put(text, fixture, 7)
                #expect(await loader.load(fixture.app) == .loaded(try sequence(7)))
                #expect(edge.table.body("/distribution/harbour/availability-ios") != nil)
                #expect(edge.table.body("/distribution/harbour/manifest.json") != nil)
                #expect(edge.table.body(path) == nil)
                #expect(await loader.load(fixture.app) == .unchanged(try sequence(7)))
                try put("proof of 7", fixture, 7)
                await loader.load(fixture.app)
                #expect(edge.table.body(path) == "proof of 7")
                try put(text, fixture, 7)
                #expect(await loader.load(fixture.app) == .unchanged(try sequence(7)))
                #expect(edge.table.body(path) == "proof of 7")
                try (fixture.folder(7) / Manifest.proofFileName).removeFile()
                await loader.load(fixture.app)
                #expect(edge.table.body(path) == "proof of 7")
                #expect(notebook["plimsoll.snapshot.proofs.refused"] == 2)
            }
        }
    }

    @Test func `a file that is too long or is a folder is no proof`() async throws {
        try await ExportFixture.with { fixture in
            let edge = fixture.edge()
            let loader = loader(fixture, edge)
            try fixture.publish(7)
            let file = fixture.folder(7) / Manifest.proofFileName
            try file.createFolder()
            #expect(await loader.load(fixture.app) == .loaded(try sequence(7)))
            #expect(edge.table.body(path) == nil)
            try file.removeTree()
            let long = [UInt8](repeating: 0x70, count: EntryProof.sizeMaximum + 1)
            try file.writeDurably(long)
            #expect(await loader.load(fixture.app) == .unchanged(try sequence(7)))
            #expect(edge.table.body(path) == nil)
        }
    }

    @Test func `with the signatures of a revoked key the proof goes too`() async throws {
        try await ExportFixture.with { fixture in
            let edge = fixture.edge()
            let loader = loader(fixture, edge)
            try fixture.publish(7)
            try put("proof of 7", fixture, 7)
            await loader.load(fixture.app)
            #expect(edge.table.body(path) != nil)
            await loader.trust(
                TrustedKeys(fixture.trusted.all, revoked: [fixture.signer.keyID])
            )
            #expect(edge.table.body(path) == nil)
        }
    }

    @Test func `a proof from afar is served with what it is of`() async throws {
        try await ExportFixture.with { fixture in
            let edge = fixture.edge()
            let loader = loader(fixture, edge)
            #expect(await !loader.load(proof: Array("proof of 7".utf8), of: fixture.app))
            try fixture.publish(7)
            await loader.load(fixture.app)
            #expect(await !loader.load(proof: Array("proof of 8".utf8), of: fixture.app))
            #expect(edge.table.body(path) == nil)
            #expect(await loader.load(proof: Array("proof of 7".utf8), of: fixture.app))
            #expect(edge.table.body(path) == "proof of 7")
        }
    }
}

// MARK: - A quorum

extension ManifestProofTests {
    private static let ios = "/distribution/harbour/availability-ios"

    @Test func `an edge goes on to what a quorum has seen, and not before`() async throws {
        let notebook = MetricsNotebook()
        try await withMetricsFactory(notebook) {
            try await ExportFixture.with { fixture in
                let edge = fixture.edge()
                let lines = LogLines()
                let loader = loader(fixture, edge, quorum: 2, lines.logger)
                try fixture.publish(7)
                try put("proof of 7 **", fixture, 7)
                #expect(await loader.load(fixture.app) == .loaded(try sequence(7)))
                try fixture.publish(8)
                for (proof, seen) in [(nil, 0), ("proof of 8", 0), ("proof of 8 *", 1)] {
                    if let proof { try put(proof, fixture, 8) }
                    let refusal = LoadRefusal.unwitnessed(try sequence(8), seen: seen, needed: 2)
                    for _ in 0..<3 {
                        #expect(await loader.load(fixture.app) == .refused(refusal))
                    }
                    #expect(edge.table.body(Self.ios) == "ios harbour 7")
                    #expect(edge.table.body(path) == "proof of 7 **")
                    #expect(notebook["plimsoll.snapshot.waiting app=harbour"] == 1)
                }
                try put("proof of 8 ***", fixture, 8)
                #expect(await loader.load(fixture.app) == .loaded(try sequence(8)))
                #expect(edge.table.body(Self.ios) == "ios harbour 8")
                #expect(notebook["plimsoll.snapshot.waiting app=harbour"] == 0)
                #expect(notebook["plimsoll.snapshots.refused"] ?? 0 == 0)
                let waits = lines.all.count { $0.contains("waits for witnesses") }
                #expect(waits == 2)
            }
        }
    }

    @Test func `what waits may be overtaken, and what was seen last is never given up`()
        async throws
    {
        try await ExportFixture.with { fixture in
            let edge = fixture.edge()
            let loader = loader(fixture, edge, quorum: 1)
            try fixture.publish(7)
            try put("proof of 7 *", fixture, 7)
            await loader.load(fixture.app)
            try fixture.publish(8)
            await loader.load(fixture.app)
            try fixture.publish(9)
            try put("proof of 8 *", fixture, 9)
            #expect(await !loader.load(fixture.app).isServed)
            #expect(edge.table.body(Self.ios) == "ios harbour 7")
            try put("proof of 9 *", fixture, 9)
            try await loader.loadAll()
            #expect(edge.table.body(Self.ios) == "ios harbour 9")
            try put("proof of 9", fixture, 9)
            try await loader.loadAll()
            #expect(edge.table.body(Self.ios) == "ios harbour 9")
        }
    }

    @Test func `what is refused for another reason does not wait for witnesses`() async throws {
        let (notebook, waiting) = (MetricsNotebook(), "plimsoll.snapshot.waiting app=harbour")
        try await withMetricsFactory(notebook) {
            try await ExportFixture.with { fixture in
                let loader = loader(fixture, fixture.edge(), quorum: 1)
                try fixture.publish(7)
                #expect(await !loader.load(fixture.app).isServed)
                #expect(notebook[waiting] == 1)
                try fixture.publish(8)
                try put("proof of 8 *", fixture, 8)
                try (fixture.folder(8) / "availability-ios").writeDurably(Array("other".utf8))
                #expect(await !loader.load(fixture.app).isServed)
                #expect(notebook["plimsoll.snapshots.refused"] == 1)
                #expect(notebook[waiting] == 0)
            }
        }
    }

    @Test func `what comes from afar waits as well`() async throws {
        try await ExportFixture.with { fixture in
            let edge = fixture.edge()
            let loader = loader(fixture, edge, quorum: 1)
            try fixture.publish(7)
            let bare = try fixture.fetched(7, proof: nil)
            #expect(await !loader.load(bare).isServed)
            #expect(edge.table.body(Self.ios) == nil)
            #expect(await !loader.load(proof: Array("proof of 7 *".utf8), of: fixture.app))
            let seen = try fixture.fetched(7, proof: "proof of 7 *")
            #expect(await loader.load(seen) == .loaded(try sequence(7)))
            #expect(edge.table.body(Self.ios) == "ios harbour 7")
        }
    }
}

extension ManifestProofTests {
    // Goal: what one of several origins has already, another one that lags does not take back.
    @Test(arguments: [0, 2])
    func `an origin that lags takes no proof back`(quorum: Int) async throws {
        let notebook = MetricsNotebook()
        try await withMetricsFactory(notebook) {
            try await ExportFixture.with { fixture in
                let edge = fixture.edge()
                let loader = loader(fixture, edge, quorum: quorum)
                try fixture.publish(7)
                await loader.load(try fixture.fetched(7, proof: "proof of 7 **"))
                for proof in [nil, "proof of 7", "proof of 7 *", "proof of 6 ***"] {
                    let lagging = try fixture.fetched(7, proof: proof)
                    #expect(await loader.load(lagging) == .loaded(try sequence(7)))
                    #expect(edge.table.body(path) == "proof of 7 **")
                }
                #expect(notebook["plimsoll.snapshot.waiting app=harbour"] ?? 0 == 0)
                await loader.load(try fixture.fetched(7, proof: "proof of 7 ***"))
                #expect(edge.table.body(path) == "proof of 7 ***")
                // It stands for no other manifest.
                try fixture.publish(8)
                let next = await loader.load(try fixture.fetched(8, proof: nil))
                #expect(next.isServed == (quorum == 0))
                #expect(edge.table.body(path) == (quorum == 0 ? nil : "proof of 7 ***"))
            }
        }
    }
}

extension ManifestProofTests {
    // Goal: an alarm that is to last does last, whatever another origin has, and the log is told of
    // each once. Method: three origins in turns; the last one lags, and one has a damaged file.
    @Test func `what waits at one origin waits on beside what others have`() async throws {
        let (notebook, waiting) = (MetricsNotebook(), "plimsoll.snapshot.waiting app=harbour")
        try await withMetricsFactory(notebook) {
            try await ExportFixture.with { fixture in
                let lines = LogLines()
                let loader = loader(
                    fixture,
                    fixture.edge(),
                    quorum: 1,
                    hasSeveralOrigins: true,
                    lines.logger
                )
                try fixture.publish(7)
                let served = try fixture.fetched(7, proof: "proof of 7 *")
                #expect(await loader.load(served).isServed)
                try fixture.publish(8)
                let bare = try fixture.fetched(8, proof: nil)
                let damaged = FetchedSnapshot(
                    of: bare.app,
                    manifest: bare.manifest,
                    signatures: bare.signatures,
                    bodies: bare.bodies.mapValues { $0 + [0x20] }
                )
                for _ in 1...3 {
                    for snapshot in [bare, damaged] {
                        #expect(await !loader.load(snapshot).isServed)
                        #expect(notebook[waiting] == 1)
                    }
                    await loader.load(served)
                    #expect(notebook[waiting] == 1)
                }
                #expect(lines.all.count { $0.contains("waits for witnesses") } == 1)
                #expect(lines.all.count { $0.contains("snapshot refused") } == 1)
                let seen = try fixture.fetched(8, proof: "proof of 8 *")
                #expect(await loader.load(seen) == .loaded(try sequence(8)))
                #expect(notebook[waiting] == 0)
            }
        }
    }
}

extension ExportFixture {
    fileprivate func fetched(_ sequence: Int64, proof: String?) throws -> FetchedSnapshot {
        func bytes(_ name: String) throws -> [UInt8] {
            try (folder(sequence) / name).read(sizeMaximum: 1 << 20)
        }
        let ios = try #require(FileName("availability-ios"))
        return FetchedSnapshot(
            of: app,
            manifest: try bytes(Manifest.fileName),
            signatures: try bytes(Manifest.signaturesFileName),
            bodies: [ios: try bytes(ios.text)],
            proof: proof.map { Array($0.utf8) }
        )
    }
}

extension ManifestProofTests {
    // Goal: what an origin goes on having is told of once, and what is new each time. Method: it is
    // come upon every few seconds for as long as too few witnesses have seen anything else.
    @Test func `a proof that is refused again and again is told of once`() async throws {
        try await ExportFixture.with { fixture in
            let lines = LogLines()
            let loader = loader(fixture, fixture.edge(), quorum: 1, lines.logger)
            func told() -> Int { lines.all.count { $0.contains("proof refused") } }
            try fixture.publish(7)
            let forged = try fixture.fetched(7, proof: "proof of 6 *")
            for _ in 1...3 { await loader.load(forged) }
            #expect(told() == 1)
            let seen = try fixture.fetched(7, proof: "proof of 7 *")
            #expect(await loader.load(seen) == .loaded(try sequence(7)))
            #expect(told() == 1)
            for _ in 1...3 { await loader.load(forged) }
            #expect(told() == 2)
            try fixture.publish(8)
            let next = try fixture.fetched(8, proof: "proof of 6 *")
            for _ in 1...3 { await loader.load(next) }
            #expect(told() == 3)
        }
    }

    @Test func `of several origins each forged proof is told of once`() async throws {
        try await ExportFixture.with { fixture in
            let lines = LogLines()
            let loader = loader(
                fixture,
                fixture.edge(),
                quorum: 1,
                hasSeveralOrigins: true,
                lines.logger
            )
            try fixture.publish(7)
            for _ in 1...3 {
                for proof in ["proof of 6 *", "proof of 7 *"] {
                    await loader.load(try fixture.fetched(7, proof: proof))
                }
            }
            #expect(lines.all.count { $0.contains("proof refused") } == 1)
        }
    }
}
