import Foundation
import PlimsollAPI
import PlimsollDomain
import Testing

@testable import PlimsollCommands

/// What the doctor finds in a copy of the private keys.
struct KeyCopyCheckTests {
    private func entryKey(_ digit: Character) throws -> EntryKeyID {
        try #require(EntryKeyID(String(repeating: digit, count: EntryKeyID.length)))
    }

    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "plimsoll-copy-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    private func write(_ text: String, to file: URL) throws {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: file)
    }

    // Goal: who restores from a copy that was called whole can go on with it.
    // Method: of a whole copy each file is taken away, or emptied, in turn.
    @Test func `a copy is whole with every key that a restore needs, and not without one`() throws {
        let (active, added) = (try Samples.key(.active), try Samples.key(.added))
        let keys = [active, added, try Samples.key(.retired), try Samples.key(.compromised)]
        let entryKeys = [try entryKey("a"), try entryKey("b")]
        let files = [
            "\(active.app)/\(active.id).pem", "\(added.app)/\(added.id).place", "log",
            "entries.keys/first", "entries.keys/\(entryKeys[1])",
        ]
        try withFolder { folder in
            for file in files { try write("a key", to: folder.appending(path: file)) }
            let finding = { KeyCopyCheck.finding(in: folder.path, keys, entryKeys) }
            #expect(finding().isGood, "\(finding().detail)")
            for file in files.map({ folder.appending(path: $0) }) {
                try write("", to: file)
                #expect(finding().result == .bad, "\(file.path) is empty")
                try FileManager.default.removeItem(at: file)
                #expect(finding().result == .bad, "\(file.path) is gone")
                try write("a key", to: file)
            }
            #expect(finding().isGood)
        }
    }

    @Test func `what a copy lacks is named`() throws {
        let (active, entryKey) = (try Samples.key(.active), try entryKey("c"))
        try withFolder { folder in
            let finding = KeyCopyCheck.finding(in: folder.path, [active], [entryKey])
            for name in ["\(active.app)/\(active.id).pem", "log", "entries.keys/\(entryKey)"] {
                #expect(finding.detail.contains(name), "\(finding.detail)")
            }
        }
    }
}
