import PlimsollDocuments
import PlimsollDomain
import PlimsollPublishing
import PlimsollSystem
import PlimsollTestSupport
import Testing

@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct InspectionTests {
    @Test func `it has the documents as they were published, and no signature`() async throws {
        try await ExportHouse.with { house in
            try await house.exportToTheEnd()
            let served = try await house.served()
            let edition = try #require(await house.writer.log.edition())
            let event = edition.order.position
            let folder = ExportFolder(house.folder.root.parent / "inspection")
            try Inspection(edition, at: event).write(to: folder)
            let current = folder.current(of: harbour)
            for file in served.files {
                let bytes = try (current / file.description.name.text).read(sizeMaximum: 1 << 20)
                #expect(bytes == file.body)
            }
            let bytes = try (current / Manifest.fileName).read(sizeMaximum: 1 << 20)
            let manifest = try Manifest(parsing: bytes)
            #expect(manifest.inspection == event)
            #expect(manifest.issue == served.manifest.manifest.issue)
            #expect(manifest.files.allSatisfy { $0.signatures.isEmpty })
            #expect(
                try (current / Manifest.signaturesFileName).read(sizeMaximum: 1 << 20).isEmpty
            )
        }
    }

    @Test func `it goes nowhere where something is`() async throws {
        try await ExportHouse.with { house in
            try await house.exportToTheEnd()
            let before = try await house.served()
            let inspection = Inspection(
                try #require(await house.writer.log.edition()),
                at: .start
            )
            #expect(throws: InspectionNotWritten.occupied(house.folder.root)) {
                try inspection.write(to: house.folder)
            }
            let file = house.folder.root.parent / "file"
            try file.writeDurably([1])
            #expect(throws: InspectionNotWritten.occupied(file)) {
                try inspection.write(to: ExportFolder(file))
            }
            #expect(try await house.served() == before)
        }
    }

    @Test func `an exporter does not take it for what it published`() async throws {
        try await ExportHouse.with { house in
            let edition = try #require(await house.writer.log.edition())
            try Inspection(edition, at: edition.order.position).write(to: house.folder)
            try await house.exporting { _ in
                try await eventually { await !house.writer.told.isEmpty }
            }
            // What it told first is not that this was published; then it may sign it anew.
            let first = try #require(await house.writer.told.first)
            #expect(first.published == nil)
        }
    }
}
