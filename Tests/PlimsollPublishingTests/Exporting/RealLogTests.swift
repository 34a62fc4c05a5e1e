import Foundation
import Glibc
import Metrics
import PlimsollDocuments
import PlimsollDomain
import PlimsollLog
import PlimsollPublishing
import PlimsollSystem
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
import Synchronization
import Testing

/// The whole road of a change on this side of the edge: writer, log in PostgreSQL, a fold of it,
/// exporter, and back into the log.
@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct RealLogTests {
    @Test func `an approved change is published, and the log says so once`() async throws {
        try await withService { service in
            try await service.register()
            _ = try await service.served()
            try await service.raise(to: "3.2.0", change: .first)
            let served = try await service.served()
            let ios = try #require(
                served.files.first { $0.description.name.text == "availability-ios" }
            )
            let document = try AvailabilityDocument(parsing: ios.body, platform: .ios)
            #expect(document.document[.minimumApp].value == dotted("3.2.0"))
            let record = try #require(service.writer.logState.publication(of: harbour))
            #expect(record.manifestDigest == ContentDigest(of: served.manifest.bytes).hex)
            let events = try await service.log.events(of: .export(harbour))
            #expect(events.count == 2)
        }
    }

    @Test func `a start on the same log and disk changes nothing`() async throws {
        try await withScratchFolder { folder in
            var before: VerifiedSnapshot?
            try await RealService.with(in: folder) { service in
                try await service.register()
                try await service.raise(to: "3.2.0", change: .first)
                before = try await service.served()
            }
            try await RealService.with(in: folder) { service in
                let head = try await service.log.head()
                #expect(try await service.served() == before)
                #expect(try await service.log.head() == head)
                try await service.raise(to: "3.3.0", change: .first.next)
                #expect(try await service.served() != before)
            }
        }
    }

    @Test func `a lost disk is written again with the same bytes`() async throws {
        try await withScratchFolder { folder in
            var before: VerifiedSnapshot?
            try await RealService.with(in: folder) { service in
                try await service.register()
                try await service.raise(to: "3.2.0", change: .first)
                before = try await service.served()
            }
            try (folder / "export").removeTree()
            try await RealService.with(in: folder) { service in
                let after = try await service.served()
                #expect(after.files.map(\.body) == before?.files.map(\.body))
            }
        }
    }

    // Goal: the proof of what is current comes by itself, to the folder and to every sink, once; a
    // start afterwards brings it to sinks again, and mends what was lost.
    @Test func `what is published is proven, and sinks are brought the proof`() async throws {
        try await withScratchFolder { folder in
            let origin = try #require(KeyName("log.example.com/harbour"))
            var proven: SnapshotProof?
            let (first, notebook) = (StandInSink("first"), MetricsNotebook())
            try await withMetricsFactory(notebook) {
                try await RealService.with(in: folder, sinks: [first], origin: origin) { service in
                    try await service.register()
                    try await service.raise(to: "3.2.0", change: .first)
                    let served = try await service.served()
                    try await eventually {
                        first.proofs.last?.record.sequence == served.manifest.manifest.sequence
                    }
                    let proof = try #require(first.proofs.last)
                    try proof.check(served.manifest)
                    #expect(try service.proof(of: served) == proof)
                    #expect(first.proofs.count { $0.record == proof.record } == 1)
                    proven = proof
                }
            }
            // A proof that comes later is no publication.
            let taken = first.taken.count
            #expect(notebook["plimsoll.sink.taken sink=first"] == Double(taken))
            #expect(notebook.history("plimsoll.sink.duration sink=first").count == taken)
            let place = ExportFolder(folder / "export").proof(
                try #require(proven?.record.sequence),
                of: harbour
            )
            try place.removeFile()
            let second = StandInSink("second")
            try await RealService.with(in: folder, sinks: [second], origin: origin) { service in
                let served = try await service.served()
                try await eventually { !second.proofs.isEmpty }
                #expect(second.proofs.last?.record == proven?.record)
                #expect(try service.proof(of: served) == second.proofs.last)
                let list = service.folder.snapshots(of: harbour) / "index.json"
                try await eventually { try list.status() != nil }
            }
        }
    }

    @Test func `while no proof can be written that is seen, and documents go on`() async throws {
        let notebook = MetricsNotebook()
        let isFull = Mutex(true)
        let failing = "plimsoll.snapshot.proof.failing"
        let injection: FaultPoint.Injection = { name throws(FileError) in
            guard name == "export.proof.made", isFull.withLock({ $0 }) else { return }
            throw FileError(.write, Path(name), code: ENOSPC)
        }
        let origin = try #require(KeyName("log.example.com/harbour"))
        try await withScratchFolder { folder in
            try await withMetricsFactory(notebook) {
                try await FaultPoint.$injection.withValue(injection) {
                    try await RealService.with(in: folder, origin: origin) { service in
                        try await service.register()
                        try await eventually { notebook[failing] == 1 }
                        try await service.raise(to: "3.2.0", change: .first)
                        let served = try await service.served()
                        #expect(try service.proof(of: served) == nil)
                        isFull.withLock { $0 = false }
                        try await eventually { try service.proof(of: served) != nil }
                        try await eventually { notebook[failing] == 0 }
                    }
                }
            }
        }
    }

    // Goal: the log is in it again too, since a start without it would read only.
    @Test func `a folder that is emptied under a running service has its log again`() async throws {
        try await withScratchFolder { folder in
            let origin = try #require(KeyName("log.example.com/harbour"))
            try await RealService.with(in: folder, origin: origin) { service in
                try await service.register()
                try await service.raise(to: "3.2.0", change: .first)
                _ = try await service.served()
                try await eventually { try service.folder.logCheckpoint.status() != nil }
                try service.folder.root.rename(to: folder / "gone")
                try await service.raise(to: "3.3.0", change: .first.next)
                let served = try await service.served()
                try await eventually { try service.proof(of: served) != nil }
            }
        }
    }

    private func withService(_ body: (RealService) async throws -> Void) async throws {
        try await withScratchFolder { try await RealService.with(in: $0, body) }
    }
}

extension RealService {
    fileprivate func proof(of snapshot: VerifiedSnapshot) throws -> SnapshotProof? {
        let place = folder.proof(snapshot.manifest.manifest.sequence, of: harbour)
        return try place.readIfPresent(sizeMaximum: EntryProof.sizeMaximum).map {
            try SnapshotProof(parsing: $0)
        }
    }
}
