import Glibc
import Metrics
import PlimsollDocuments
import PlimsollDomain
import PlimsollPublishing
import PlimsollSystem
import PlimsollTestSupport
import Synchronization
import Testing

@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct ExporterFailureTests {
    /// Waits until harbour is failing, and answers why.
    private func failure(of exporter: Exporter) async throws -> PublicationFailure {
        // Seen once: the next attempt may be under way already.
        var failure: PublicationFailure?
        try await eventually {
            failure = exporter.state.failures[harbour]
            return failure != nil
        }
        return try #require(failure)
    }

    /// Waits until the log was told of a failure, and answers what it says.
    private func recordedCauses(in house: ExportHouse) async throws -> [String] {
        try await eventually { await house.writer.told.contains { $0.failure != nil } }
        return await house.writer.told.compactMap { $0.failure?.cause }
    }

    // Method: it is tried three times at least, each time with the same end.
    @Test func `a key that others can read exports nothing and is recorded once`() async throws {
        let notebook = MetricsNotebook()
        try await ExportHouse.with { house in
            let key = try #require(await house.writer.log.edition()?.activeKeys.first)
            let file = house.keys.folder / "harbour" / "\(key.id).pem"
            let tries = "plimsoll.signer.failures key=\(key.id)"
            try file.setPermissions(.readableByAll)
            try await withMetricsFactory(notebook) {
                try await house.exporting { exporter in
                    guard
                        case .signingKey(.readableByOthers(key.id, _)) =
                            try await failure(of: exporter)
                    else {
                        Issue.record("it fails for another reason: \(exporter.state)")
                        return
                    }
                    #expect(try house.store.current(of: harbour) == nil)
                    _ = try await recordedCauses(in: house)
                    try await eventually { notebook[tries] ?? 0 > 2 }
                    #expect(notebook["plimsoll.snapshot.failing app=harbour"] == 1)
                    try await eventually { notebook["plimsoll.snapshots.failed"] ?? 0 > 1 }
                    try file.setPermissions(.ownerOnly)
                    try await house.waitUntilPublished()
                    try await eventually { notebook["plimsoll.snapshot.failing app=harbour"] == 0 }
                }
            }
            #expect(notebook["plimsoll.snapshots.published"] == 1)
            #expect(notebook["plimsoll.snapshot.publication.duration"] ?? 0 > 0)
            #expect(notebook["plimsoll.signer.duration key=\(key.id)"] ?? 0 > 0)
            let causes = await house.writer.told.compactMap { $0.failure?.cause }
            #expect(causes == ["the private key \(key.id) could be read by others"])
        }
    }

    @Test func `an instance without the private key makes none and leaves the work to others`()
        async throws
    {
        try await ExportHouse.with { house in
            let other = SigningKeys(folder: house.keys.folder.parent / "other-keys")
            try other.prepare()
            try await house.exporting(house.exporter(keys: other)) { idle in
                try await eventually { idle.state.trouble?.contains("the private key") == true }
                #expect(!idle.state.isExporting)
                try await house.exporting { exporter in
                    try await house.waitUntilPublished()
                    #expect(exporter.state.isExporting)
                }
                #expect(!idle.state.isExporting)
            }
            #expect(try other.folder.entries() == [])
            #expect(await house.writer.told.allSatisfy { $0.failure == nil })
        }
    }

    @Test func `whoever loses the key gives the work to whoever has it`() async throws {
        try await ExportHouse.with { house in
            let other = SigningKeys(folder: house.keys.folder.parent / "other-keys")
            try other.prepare()
            try await house.exporting { first in
                try await house.waitUntilPublished()
                try await house.exporting(house.exporter(keys: other)) { second in
                    try (house.keys.folder / "harbour").rename(to: other.folder / "harbour")
                    await house.writer.change { $0.apply((.ios, dotted("3.2.0"))) }
                    try await house.waitUntilPublished()
                    #expect(second.state.isExporting)
                    try await eventually { !first.state.isExporting }
                }
            }
        }
    }

    @Test func `one app's failure does not hold up another`() async throws {
        try await ExportHouse.with { house in
            let quay = slug("quay")
            let key = try house.keys.makeKey(for: quay)
            try house.keys.discard(key)
            try await house.writer.change { try $0.register(key) }
            try await house.exporting { exporter in
                try await house.waitUntilPublished()
                await house.writer.change { $0.apply((.ios, dotted("3.2.0"))) }
                try await house.waitUntilPublished()
                try await eventually { exporter.state.failures.keys.contains(quay) }
            }
        }
    }

    @Test func `one app's key that cannot be looked at does not hold up another`() async throws {
        try await ExportHouse.with { house in
            let quay = slug("quay")
            let key = try house.keys.makeKey(for: quay)
            try house.keys.discard(key)
            let note = house.keys.folder / "quay" / "\(key.id).place"
            try note.writeDurably(Array("PLIMSOLL_QUAY".utf8))
            try note.setPermissions(.readableByAll)
            try await house.writer.change { try $0.register(key) }
            try await house.exporting { exporter in
                try await house.waitUntilPublished()
                try await eventually { exporter.state.failures.keys.contains(quay) }
            }
        }
    }

    @Test func `a new order is tried at once although the one before it failed`() async throws {
        try await ExportHouse.with { house in
            let key = try #require(await house.writer.log.edition()?.activeKeys.first)
            let file = house.keys.folder / "harbour" / "\(key.id).pem"
            try file.setPermissions(.readableByAll)
            try await house.exporting { exporter in
                _ = try await failure(of: exporter)
                try file.setPermissions(.ownerOnly)
                await house.writer.change { $0.apply((.ios, dotted("3.2.0"))) }
                try await house.waitUntilPublished()
            }
        }
    }

    @Test func `without the database nothing is told, and later it is`() async throws {
        try await ExportHouse.with { house in
            try await house.exporting { _ in
                try await house.waitUntilPublished()
                await house.writer.goAway(true)
                await house.writer.change { $0.apply((.ios, dotted("3.2.0"))) }
                let sequence = await house.writer.log.edition()?.order.sequence
                try await eventually { try house.store.current(of: harbour) == sequence }
                await house.writer.goAway(false)
                try await house.waitUntilPublished()
            }
            #expect(await house.writer.told.allSatisfy { $0.failure == nil })
        }
    }

    @Test func `a damaged snapshot found under the number is refused, not served`() async throws {
        try await ExportHouse.with { house in
            try await house.exportToTheEnd()
            let before = try await house.served()
            await house.writer.change { $0.apply((.ios, dotted("3.2.0"))) }
            let edition = try #require(await house.writer.log.edition())
            try add(edition, to: house, flippingBitIn: "availability-ios")
            try await house.exporting { exporter in
                guard case .damaged(edition.order.sequence, _, _) = try await failure(of: exporter)
                else {
                    Issue.record("it fails for another reason: \(exporter.state)")
                    return
                }
                #expect(try await house.served() == before)
                #expect(try await recordedCauses(in: house).count == 1)
            }
        }
    }

    // Goal: what was checked before the disk had it is not taken for what the disk has. Method: the
    // bit flips when the snapshot is durable, before it is read back.
    @Test func `a bit that flips on the way to the disk keeps what is served`() async throws {
        try await ExportHouse.with { house in
            try await house.exportToTheEnd()
            let before = try await house.served()
            await house.writer.change { $0.apply((.ios, dotted("3.2.0"))) }
            let sequence = try #require(await house.writer.log.edition()).order.sequence
            let file = house.folder.snapshot(sequence, of: harbour) / "availability-ios"
            let injection: FaultPoint.Injection = { name throws(FileError) in
                guard name == "export.snapshot.added" else { return }
                var bytes = try file.read(sizeMaximum: 1 << 20)
                bytes[bytes.count / 2] ^= 1
                try file.writeDurably(bytes)
            }
            try await FaultPoint.$injection.withValue(injection) {
                try await house.exporting { exporter in
                    guard case .damaged(sequence, _, _) = try await failure(of: exporter) else {
                        Issue.record("it fails for another reason: \(exporter.state)")
                        return
                    }
                    #expect(try await house.served() == before)
                }
            }
        }
    }

    @Test func `a snapshot that says something else than the log is refused`() async throws {
        try await ExportHouse.with { house in
            try await house.exportToTheEnd()
            let before = try await house.served()
            var fork = await house.writer.log
            fork.apply((.ios, dotted("9")))
            try add(try #require(fork.edition()), to: house)
            await house.writer.change { $0.apply((.ios, dotted("3.2.0"))) }
            try await house.exporting { exporter in
                guard case .foreign = try await failure(of: exporter) else {
                    Issue.record("it fails for another reason: \(exporter.state)")
                    return
                }
            }
            #expect(try await house.served() == before)
        }
    }

    @Test func `an export that is newer than the log stays as it is`() async throws {
        try await ExportHouse.with { house in
            let old = await house.writer.log
            try await house.exportToTheEnd()
            await house.writer.change { $0.apply((.ios, dotted("3.2.0"))) }
            try await house.exportToTheEnd()
            let before = try await house.served()
            let restored = StandInWriter(old)
            // Whatever the log orders would have a number that is taken, however old it grows.
            let clocks = Stopwatch()
            clocks.advance(by: .seconds(30 * 86_400))
            let exporter = house.with(restored).exporter(clocks: { clocks.reading() })
            try await house.exporting(exporter) { exporter in
                guard case .ahead = try await failure(of: exporter) else {
                    Issue.record("it fails for another reason: \(exporter.state)")
                    return
                }
                try await eventually { clocks.readings > 2 }
            }
            #expect(await !restored.log.events.contains { $0.event == .app(.renewalOrdered) })
            #expect(try await house.served() == before)
        }
    }

    // Goal: after a log was given up no number stands for two snapshots, and phones get the new
    // log's content once it has passed the old one's. Method: an older log beside its own export,
    // which grows by events that publish nothing.
    @Test func `what a lost log had published is passed, and never written over`() async throws {
        try await ExportHouse.with { house in
            let old = await house.writer.log
            try await house.exportToTheEnd()
            for version in ["3.2.0", "3.3.0"] {
                await house.writer.change { $0.apply((.ios, dotted(version))) }
                try await house.exportToTheEnd()
            }
            let lost = try #require(try house.store.current(of: harbour))
            let before = try await house.served()
            let restored = StandInWriter(old)
            let exporter = house.with(restored).exporter()
            try await house.exporting(exporter) { exporter in
                guard case .ahead(lost, _) = try await failure(of: exporter) else {
                    Issue.record("it fails for another reason: \(exporter.state)")
                    return
                }
                #expect(try await house.served() == before)
                while await restored.log.logState.position.rawValue < lost.rawValue {
                    await restored.change { log in
                        _ = log.append([(.app(harbour), .app(.freeze(.started)))])
                        _ = log.append([(.app(harbour), .app(.freeze(.ended)))])
                    }
                }
                try await eventually {
                    try house.store.current(of: harbour).map { $0 > lost } ?? false
                }
            }
            #expect(try await house.served() != before)
            let keys = await house.writer.log.trustedKeys
            #expect(try house.store.snapshot(lost, of: harbour, trusting: keys) == before)
            let orders = await restored.log.events.filter { $0.event == .app(.renewalOrdered) }
            #expect(orders.allSatisfy { $0.position.rawValue > lost.rawValue })
            #expect(orders.count == 1)
        }
    }

    // Goal: no phone is left with what a lost log had said, because it refuses lower numbers. Method:
    // an older log beside its own export passes the last number with a change of another platform.
    @Test func `a document that a lost log had dated later is dated anew`() async throws {
        try await ExportHouse.with { house in
            let old = await house.writer.log
            await house.writer.change { $0.apply((.ios, dotted("3.2.0"))) }
            try await house.exportToTheEnd()
            let lost = try #require(try house.store.current(of: harbour))
            let restored = StandInWriter(old)
            while await restored.log.logState.position.rawValue < lost.rawValue {
                await restored.change { log in
                    _ = log.append([(.app(harbour), .app(.freeze(.started)))])
                    _ = log.append([(.app(harbour), .app(.freeze(.ended)))])
                }
            }
            await restored.change { $0.apply((.android, code(320))) }
            let after = house.with(restored)
            // Nothing is dated while the clock is in doubt, and it is not forgotten by then.
            let clocks = Stopwatch()
            clocks.trust(false)
            let exporter = after.exporter(
                clocks: { clocks.reading() },
                trustsClock: { clocks.isTrusted }
            )
            try await after.exporting(exporter) { _ in
                try await eventually {
                    try await after.served().manifest.manifest.sequence > lost
                }
                clocks.trust(true)
                clocks.advance(by: .seconds(60))
                try await eventually {
                    try await after.served().files.allSatisfy { $0.description.sequence > lost }
                }
            }
        }
    }

    @Test func `a full disk keeps what is served, and space brings the new`() async throws {
        try await ExportHouse.with { house in
            try await SmallDisk.with(house.folder.root.parent / "disk") { disk in
                let house = house.exporting(to: disk.folder / "export")
                try await house.exportToTheEnd()
                let before = try await house.served()
                await house.writer.change { $0.apply((.ios, dotted("3.2.0"))) }
                try await disk.whileFull {
                    try await house.exporting { exporter in
                        let failure = try await failure(of: exporter)
                        #expect(failure.cause.hasSuffix("the disk is full"))
                        _ = try await recordedCauses(in: house)
                        #expect(try await house.served() == before)
                    }
                }
                try await house.exportToTheEnd()
                #expect(try await house.served() != before)
            }
        }
    }

    @Test func `space brings the new at once, however long it was away`() async throws {
        try await ExportHouse.with { house in
            try await SmallDisk.with(house.folder.root.parent / "disk") { disk in
                let house = house.exporting(to: disk.folder / "export")
                try await house.exportToTheEnd()
                let tries = Mutex(0)
                let count: FaultPoint.Injection = { name throws(FileError) in
                    if name == "export.snapshot.signed" { tries.withLock { $0 += 1 } }
                }
                try await FaultPoint.$injection.withValue(count) {
                    try await house.exporting { _ in
                        try await disk.whileFull {
                            await house.writer.change { $0.apply((.ios, dotted("3.2.0"))) }
                            try await eventually { tries.withLock { $0 } == 6 }
                        }
                        // Of itself it would be tried again after sixteen seconds at least.
                        let start = ContinuousClock.now
                        try await house.waitUntilPublished()
                        #expect(ContinuousClock.now - start < .seconds(12))
                    }
                }
            }
        }
    }

    /// Writes the snapshot of an edition as an exporter would, damaged if wanted.
    private func add(
        _ edition: Edition,
        to house: ExportHouse,
        flippingBitIn damaged: String? = nil
    ) throws {
        let signers = try edition.activeKeys.map { try house.keys.signer(for: $0) }
        let files = try SnapshotPlan(edition).sign(with: signers, keeping: nil).map { file in
            var bytes = file.bytes
            if file.name == damaged { bytes[bytes.count / 2] ^= 1 }
            return PublishedFile(name: file.name, bytes: bytes)
        }
        try house.store.add(files, edition.order.sequence, of: edition.app)
    }
}
