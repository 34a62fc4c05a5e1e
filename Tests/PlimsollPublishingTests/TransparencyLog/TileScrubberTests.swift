import Foundation
import PlimsollLog
import PlimsollPostgres
import PlimsollPublishing
import PlimsollStore
import PlimsollSystem
import PlimsollTestSupport
import Testing

/// Files of the transparency log that change on the disk while they are published.
@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct TileScrubberTests {
    private static let names = [
        "tile/0/000", "tile/0/001", "tile/0/002.p/88", "tile/1/000.p/2", "checkpoint", "key",
    ]

    @Test(arguments: names, Damage.allCases)
    func `a file that is not as it was published is written again`(
        _ name: String,
        _ damage: Damage
    ) async throws {
        try await LogHouse.with { house in
            try await house.append(600)
            try await house.publishing { publisher, edge, _ in
                let root = try await publisher.publish(&edge)
                #expect(try await publisher.scrub(edge).mended == [])
                let path = house.folder.log / name
                let right = try path.read(sizeMaximum: 1 << 20)
                try damage.happen(to: path, right)
                #expect(try await publisher.scrub(edge).mended == [path])
                #expect(try path.read(sizeMaximum: 1 << 20) == right)
                #expect(try await publisher.scrub(edge).mended == [])
                #expect(try await house.audited() == root)
                let kept = house.folder.damaged / "log" / path.name
                #expect(try (kept.status() != nil) == (damage != .loss))
            }
        }
    }

    @Test func `everything at once is written again`() async throws {
        try await LogHouse.with { house in
            try await house.append(600)
            try await house.publishing { publisher, edge, _ in
                let root = try await publisher.publish(&edge)
                for name in Self.names {
                    let path = house.folder.log / name
                    try Damage.text.happen(to: path, path.read(sizeMaximum: 1 << 20))
                }
                #expect(try await publisher.scrub(edge).mended.count == Self.names.count)
                #expect(try await house.audited() == root)
            }
        }
    }

    // What is on the disk proves what was signed; the log does not lead there any more.
    @Test func `a tile is not written from a log that was altered`() async throws {
        try await LogHouse.with { house in
            try await house.append(600)
            try await house.publishing { publisher, edge, _ in
                _ = try await publisher.publish(&edge)
                try await house.asOwner(
                    "ALTER TABLE log.event DISABLE TRIGGER event_refuse_change",
                    "UPDATE log.event SET entry = 'other' WHERE position = 300"
                )
                let edge = edge
                #expect(try await publisher.scrub(edge).mended == [])
                let path = house.folder.log / "tile/0/001"
                try path.removeFile()
                await #expect(throws: PublicLogFailure.self) { try await publisher.scrub(edge) }
                #expect(try path.status() == nil)
            }
        }
    }

    // Another one has published more in between.
    @Test func `what was known in a former term is not written again in a later one`() async throws
    {
        try await LogHouse.with { house in
            try await house.append(3)
            try await house.publishing { publisher, edge, lead in
                _ = try await publisher.publish(&edge)
                let former = edge
                try await house.append(2)
                let root = try await house.publish()
                try await lead.takeIfFree()
                try ExportTerm(try lead.confirm().epoch, in: house.folder).begin()
                await #expect(throws: LeaseLost.self) { try await publisher.scrub(former) }
                #expect(try await house.audited() == root)
                edge = try await publisher.begin()
                let latest = edge
                #expect(try await publisher.scrub(latest).mended == [])
            }
        }
    }

    // More than one scrub looks at: 1001 full tiles of the lowest level.
    @Test func `a long log is looked at a part at a time`() async throws {
        try await LogHouse.with { house in
            try await house.append(1001 * 256 + 3)
            try await house.publishing { publisher, edge, _ in
                _ = try await publisher.publish(&edge)
                let path = house.folder.log / "tile/0/x001/000"
                let right = try path.read(sizeMaximum: 1 << 20)
                try Damage.bit.happen(to: path, right)
                let first = try await publisher.scrub(edge)
                #expect(first.mended == [])
                #expect(first.next == 1000)
                let second = try await publisher.scrub(edge, from: first.next)
                #expect(second.mended == [path])
                #expect(second.next == 0)
                #expect(try path.read(sizeMaximum: 1 << 20) == right)
            }
        }
    }
}

/// What becomes of a file.
enum Damage: CaseIterable {
    case bit, shortened, text, loss, folder

    func happen(to path: Path, _ right: [UInt8]) throws {
        switch self {
        case .bit:
            var bytes = right
            bytes[bytes.count / 2] ^= 1
            try path.writeDurably(bytes)
        case .shortened: try path.writeDurably(right.dropLast())
        case .text: try path.writeDurably(Array("nonsense".utf8))
        case .loss: try path.removeFile()
        case .folder:
            try path.removeFile()
            try path.createFolder()
        }
    }
}
