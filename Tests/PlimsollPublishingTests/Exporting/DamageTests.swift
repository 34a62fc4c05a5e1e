import Foundation
import Metrics
import PlimsollDocuments
import PlimsollDomain
import PlimsollPublishing
import PlimsollSystem
import PlimsollTestSupport
import Testing

/// What is published is damaged on the disk: it is written anew, and the damage is kept.
@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct DamageTests {
    private enum Damage: CaseIterable {
        case flipped, cutOff, emptied, removed
        /// Nobody can read these, whoever asks; so it is with a disk that gives errors.
        case folder, dangling, oversized

        func strike(_ file: Path) throws {
            var bytes = try file.read(sizeMaximum: 1 << 20)
            switch self {
            case .flipped: bytes[bytes.count / 2] ^= 1
            case .cutOff: bytes.removeLast(bytes.count / 2)
            case .emptied: bytes = []
            case .removed:
                _ = try file.removeFile()
                return
            case .folder:
                _ = try file.removeFile()
                return try file.createFolder()
            case .dangling:
                return try file.pointSymbolicLink(to: "nothing")
            case .oversized:
                let handle = try FileHandle(forWritingTo: URL(filePath: file.string))
                try handle.truncate(atOffset: 17 << 20)
                return try handle.close()
            }
            try file.writeDurably(bytes)
        }
    }

    @Test(arguments: Damage.allCases)
    private func `a damaged document is written anew with the same bytes`(
        damage: Damage
    ) async throws {
        try await ExportHouse.with { house in
            try await house.exportToTheEnd()
            let before = try await house.served()
            let told = await house.writer.told.count
            let file = house.folder.current(of: harbour) / "availability-ios"
            try damage.strike(file)
            let struck = try Found(file)
            let notebook = MetricsNotebook()
            try await withMetricsFactory(notebook) {
                try await house.exporting { _ in
                    try await eventually { (try? await house.served()) == before }
                    try await eventually { notebook["plimsoll.snapshots.mended"] == 1 }
                }
            }
            #expect(await house.writer.told.count == told)
            let sequence = before.manifest.manifest.sequence
            let aside = house.folder.damaged / "\(harbour)-\(sequence)" / "availability-ios"
            #expect(try Found(aside) == struck)
        }
    }

    // Goal: no block waits for the end of a disk's trouble with a file that nobody needs any more.
    @Test(arguments: Damage.allCases, ["manifest.json", "availability-ios"])
    private func `damage of what was overtaken stops nothing`(
        damage: Damage,
        name: String
    ) async throws {
        try await ExportHouse.with { house in
            try await house.exportToTheEnd()
            try damage.strike(house.folder.current(of: harbour) / name)
            await house.writer.change { $0.apply((.ios, dotted("3.2.0"))) }
            try await house.exportToTheEnd()
            let edition = try #require(await house.writer.log.edition())
            #expect(try await SnapshotPlan(edition).describes(house.served()))
            #expect(await !house.writer.told.contains { $0.failure != nil })
        }
    }

    @Test(
        arguments: ["manifest.json", "manifest.json.sig"],
        [Damage.flipped, .folder, .oversized]
    )
    private func `where the signatures are damaged it is signed anew, under a renewal`(
        name: String,
        damage: Damage
    ) async throws {
        try await ExportHouse.with { house in
            try await house.exporting { _ in
                try await house.waitUntilPublished()
                let before = try await house.served()
                let sequence = before.manifest.manifest.sequence
                try damage.strike(house.folder.current(of: harbour) / name)
                try await eventually {
                    try house.store.current(of: harbour).map { $0 > sequence } ?? false
                }
                try await house.waitUntilPublished()
                let after = try await house.served()
                #expect(after.manifest.manifest.sequence > sequence)
                let orders = await house.writer.log.events.filter {
                    $0.event == .app(.renewalOrdered)
                }
                #expect(orders.count == 1)
                let aside = house.folder.damaged / "\(harbour)-\(sequence)" / name
                try await eventually { try aside.status() != nil }
            }
        }
    }
}

/// What lies at a place, as far as it can be read.
private struct Found: Equatable {
    let kind: FileStatus.Kind?
    let size: Int?
    let bytes: [UInt8]?

    init(_ path: Path) throws {
        let status = try path.status()
        (kind, size) = (status?.kind, status?.size)
        bytes = kind == .file ? try? path.read(sizeMaximum: 1 << 20) : nil
    }
}
