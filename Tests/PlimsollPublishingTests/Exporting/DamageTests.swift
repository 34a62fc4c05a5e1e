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

        func strike(_ file: Path) throws {
            var bytes = try file.read(sizeMaximum: 1 << 20)
            switch self {
            case .flipped: bytes[bytes.count / 2] ^= 1
            case .cutOff: bytes.removeLast(bytes.count / 2)
            case .emptied: bytes = []
            case .removed:
                _ = try file.removeFile()
                return
            }
            try file.writeDurably(bytes)
        }
    }

    @Test(arguments: Damage.allCases)
    private func `a damaged document is written anew with the same bytes`(
        damage: Damage
    ) async throws {
        try await ExportHouse.with { house in
            try await house.exporting { _ in
                try await house.waitUntilPublished()
                let before = try await house.served()
                let told = await house.desk.told.count
                let file = house.folder.current(of: harbour) / "availability-ios"
                try damage.strike(file)
                let struck = try file.readIfPresent(sizeMaximum: 1 << 20)
                try await eventually { (try? await house.served()) == before }
                #expect(await house.desk.told.count == told)
                let sequence = before.manifest.manifest.sequence
                let aside = house.folder.damaged / "\(harbour)-\(sequence)" / "availability-ios"
                #expect(try aside.readIfPresent(sizeMaximum: 1 << 20) == struck)
            }
        }
    }

    @Test(arguments: ["manifest.json", "manifest.json.sig"])
    func `where the signatures are damaged it is signed anew, under a renewal`(
        name: String
    ) async throws {
        try await ExportHouse.with { house in
            try await house.exporting { _ in
                try await house.waitUntilPublished()
                let before = try await house.served()
                let sequence = before.manifest.manifest.sequence
                try Damage.flipped.strike(house.folder.current(of: harbour) / name)
                try await eventually {
                    try house.store.current(of: harbour).map { $0 > sequence } ?? false
                }
                try await house.waitUntilPublished()
                let after = try await house.served()
                #expect(after.manifest.manifest.sequence > sequence)
                let orders = await house.desk.log.events.filter {
                    $0.event == .app(.renewalOrdered)
                }
                #expect(orders.count == 1)
                let aside = house.folder.damaged / "\(harbour)-\(sequence)" / name
                try await eventually { try aside.status() != nil }
            }
        }
    }
}
