import Metrics
import PlimsollDocuments
import PlimsollDomain
import PlimsollPublishing
import PlimsollSystem
import PlimsollPostgres
import PlimsollTestSupport
import Testing

@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct ReconciliationTests {
    @Test func `a snapshot without its event gets it, and no byte changes`() async throws {
        try await ExportHouse.with { house in
            let old = await house.writer.log
            try await house.exportToTheEnd()
            let before = try await house.served()
            let again = house.with(StandInWriter(old))
            try await again.exportToTheEnd()
            #expect(try await again.served() == before)
            #expect(
                await again.writer.told.compactMap(\.published?.sequence)
                    == [before.manifest.manifest.sequence]
            )
        }
    }

    @Test func `an older current without its event gets it before the newest is published`()
        async throws
    {
        try await ExportHouse.with { house in
            var log = await house.writer.log
            try await house.exportToTheEnd()
            let first = try await house.served().manifest.manifest.sequence
            log.apply((.ios, dotted("3.2.0")))
            let again = house.with(StandInWriter(log))
            try await again.exportToTheEnd()
            let second = try await again.served().manifest.manifest.sequence
            #expect(await again.writer.told.compactMap(\.published?.sequence) == [first, second])
        }
    }

    @Test func `an event without its snapshot has it written again with the same bytes`()
        async throws
    {
        try await ExportHouse.with { house in
            await house.writer.change { $0.apply((.ios, dotted("3.2.0"))) }
            try await house.exportToTheEnd()
            let before = try await house.served()
            try house.folder.root.removeTree()
            try await house.exporting { _ in
                try await eventually { await house.writer.told.count == 2 }
            }
            let after = try await house.served()
            #expect(after.files.map(\.body) == before.files.map(\.body))
            #expect(after.manifest.manifest.issue == before.manifest.manifest.issue)
            #expect(try house.folder.keyList.status() != nil)
            // Its signatures are others, so the log has to know what is live now.
            let record = try #require(await house.writer.told.last?.published)
            #expect(record.manifestDigest == ContentDigest(of: after.manifest.bytes).hex)
        }
    }

    // Goal: whoever loses the folder loses nothing but time, and need not start the service anew.
    // Method: the folder, or a part of it, goes in one step, so that nothing is written meanwhile.
    @Test(arguments: [nil, "keys", "current", "snapshots", ".terms"])
    func `what is emptied under a running exporter is written again`(part: String?) async throws {
        try await ExportHouse.with { house in
            try await house.exporting { _ in
                try await house.waitUntilPublished()
                let before = try await house.served()
                let root = house.folder.root
                try (part.map { root / $0 } ?? root).rename(to: root.parent / "gone")
                await house.writer.change { $0.apply((.ios, dotted("3.2.0"))) }
                try await house.waitUntilPublished()
                let after = try await house.served()
                #expect(after.manifest.manifest.sequence > before.manifest.manifest.sequence)
                try await eventually {
                    try house.folder.keyList.status() != nil
                        && !house.folder.keys.entriesIfPresent().isEmpty
                }
            }
        }
    }

    @Test func `a link that was lost is set again`() async throws {
        try await ExportHouse.with { house in
            try await house.exporting { _ in
                try await house.waitUntilPublished()
                let before = try await house.served()
                try house.folder.current(of: harbour).removeFile()
                try await eventually { try house.store.current(of: harbour) != nil }
                #expect(try await house.served() == before)
            }
        }
    }

    @Test func `a second exporter waits and takes over`() async throws {
        try await ExportHouse.with { house in
            let first = house.exporter(isAlone: false)
            let second = house.exporter(isAlone: false)
            try await house.exporting(second) { second in
                try await eventually { second.state.isExporting }
                try await house.exporting(first) { first in
                    try await house.waitUntilPublished()
                    try await eventually { house.reader.apps.count == 1 }
                    await house.writer.change { $0.apply((.ios, dotted("3.2.0"))) }
                    try await house.waitUntilPublished()
                    #expect(!first.state.isExporting)
                }
            }
            try await house.exporting(first) { first in
                try await eventually { first.state.isExporting }
                await house.writer.change { $0.apply((.ios, dotted("3.3"))) }
                try await house.waitUntilPublished()
            }
            #expect(await house.writer.told.allSatisfy { $0.published != nil })
        }
    }

    // Goal: what people are woken for is shown by whoever follows too. Method: the leader is kept from
    // recording what it published.
    @Test func `who follows shows who leads, and since when something is not published`()
        async throws
    {
        try await ExportHouse.with { house in
            let notebook = MetricsNotebook()
            let lag = "plimsoll.publication.lag.seconds"
            try await house.exporting(house.exporter(isAlone: false)) { leader in
                try await house.waitUntilPublished()
                try await withMetricsFactory(notebook) {
                    try await house.exporting(house.exporter(isAlone: false)) { follower in
                        try await eventually { notebook[lag] == 0 }
                        house.reader.hold()
                        await house.writer.change { $0.apply((.ios, dotted("3.2.0"))) }
                        try await eventually { notebook[lag] ?? 0 > 0 }
                        let first = try #require(notebook[lag])
                        try await eventually { notebook[lag] ?? 0 > first + 0.1 }
                        for name in ["epoch", "age.seconds"] {
                            try await eventually { notebook["plimsoll.exporter.\(name)"] ?? 0 > 0 }
                        }
                        house.reader.release()
                        try await eventually { notebook[lag] == 0 }
                        #expect(leader.state.isExporting && !follower.state.isExporting)
                    }
                }
            }
        }
    }

    @Test func `an exporter whose session is ended stops and begins anew`() async throws {
        try await ExportHouse.with { house in
            try await house.exporting { exporter in
                try await house.waitUntilPublished()
                let session = try await Session.open(house.connection)
                try await session.execute(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = current_database() AND application_name = 'plimsoll exporter'
                    """
                )
                await session.close()
                await house.writer.change { $0.apply((.ios, dotted("3.2.0"))) }
                try await house.waitUntilPublished()
                #expect(exporter.state.isExporting)
            }
        }
    }

    @Test func `before the book knows the head of the log nothing is published`() async throws {
        try await ExportHouse.with { house in
            let log = await house.writer.log
            let book = PublicationQueue()
            var configuration = ExporterConfiguration(
                folder: house.folder,
                keys: house.keys,
                database: house.connection,
                ledger: PublicationRecorder(
                    perform: { _, _, _ in },
                    head: { log.logState.position.advanced(by: 1) }
                )
            )
            configuration.intervals.check = .milliseconds(5)
            book.enter(log.events, leadingTo: log.logState)
            let exporter = Exporter(configuration, book: book, logger: quietLogger)
            try await house.exporting(exporter) { exporter in
                try await eventually { exporter.state.isExporting }
                #expect(try house.store.current(of: harbour) == nil)
                var longer = log
                longer.renew()
                book.enter(longer.events.suffix(1), leadingTo: longer.logState)
                try await eventually { try house.store.current(of: harbour) != nil }
            }
        }
    }
}
