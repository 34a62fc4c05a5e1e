import Metrics
import PlimsollDomain
import PlimsollLog
import PlimsollPostgres
import PlimsollPublishing
import PlimsollStore
import PlimsollSystem
import PlimsollTestSupport
import Testing

/// What an operator sees of the transparency log while it is published.
@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct LogQueueTests {
    // Goal: damage is mended and counted; what cannot be mended is told of until it can, and keeps
    // no document waiting. Method: a tile is lost while the log does not lead to it.
    @Test func `damage of the published log is told of, and nobody waits for it`() async throws {
        let (notebook, lines) = (MetricsNotebook(), LogLines())
        try await withExporter(lines, notebook) { exporter, house, log in
            let failing = "plimsoll.log.checkpoint.failing"
            try await eventually { notebook["plimsoll.log.checkpoint.size"] == 600 }
            let tile = log.folder.log / "tile/0/001"
            let right = try tile.read(sizeMaximum: 1 << 20)
            try Damage.bit.happen(to: tile, right)
            try await eventually { notebook["plimsoll.log.files.mended"] == 1 }
            #expect(try tile.read(sizeMaximum: 1 << 20) == right)
            #expect(lines.text.contains("was damaged and is mended files=\(tile)"))
            #expect(notebook[failing] == 0)

            try await log.asOwner(
                "ALTER TABLE log.event DISABLE TRIGGER event_refuse_change",
                "UPDATE log.event SET entry = 'other' WHERE position = 300"
            )
            try tile.removeFile()
            // First a look finds it, and then nothing begins anew.
            try await eventually { exporter.state.log == .failing(.forked(size: 600)) }
            #expect(notebook[failing] == 1)
            #expect(try tile.status() == nil)
            await house.writer.change { $0.apply((.ios, dotted("3.2.0"))) }
            try await house.waitUntilPublished()

            try await log.asOwner(
                "UPDATE log.event SET entry = convert_to('entry 300', 'UTF8') WHERE position = 300"
            )
            try await eventually { notebook[failing] == 0 }
            #expect(try tile.read(sizeMaximum: 1 << 20) == right)
            #expect(try await log.audited() == log.tree().root)
            #expect(lines.text.contains("checkpoints are published again"))
        }
    }

    /// Publishes documents and a log of 600 events.
    private func withExporter(
        _ lines: LogLines,
        _ notebook: MetricsNotebook,
        _ body: (Exporter, ExportHouse, LogHouse) async throws -> Void
    ) async throws {
        try await ExportHouse.with { house in
            let log = LogHouse(root: house.folder.root.parent, connection: house.connection)
            try await log.append(600)
            try await Session.with(house.connection, settings: .service) { session in
                let published = PublicLog(checkpoints: Checkpoints(EventLog(session)), key: log.key)
                try await withMetricsFactory(notebook) {
                    let exporter = house.exporter(log: published, logger: lines.logger)
                    try await house.exporting(exporter) { exporter in
                        try await body(exporter, house, log)
                    }
                }
            }
        }
    }
}
