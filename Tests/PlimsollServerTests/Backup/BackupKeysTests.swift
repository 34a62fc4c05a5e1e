import FoundationEssentials
import PlimsollDomain
import PlimsollPostgres
import PlimsollStore
import PlimsollSystem
import PlimsollTestSupport
import Testing

@testable import PlimsollServer

/// A backup whose entries have authenticators, where the keys are and where they are not.
@Suite(.scratchDatabase(template: serverTemplate), .timeLimit(.minutes(5)))
struct BackupKeysTests {
    /// Backs up a log that the keys in the data folder authenticate from its first event on.
    private func withBackup(
        _ body: (_ file: Path, _ data: Path, EntryKeyID) async throws -> Void
    ) async throws {
        try await withFolder { data in
            let keys = EntryKeyFolder(data / "keys" / EntryKeyFolder.name)
            let authentication = EntryAuthentication(keysIn: keys)
            try authentication.prepare()
            let id = try #require(authentication.first)
            let connection = try ScratchDatabase.current.connection
            let pool = SessionPool(connection, settings: .service)
            let log = EventLog(pool, authentication: authentication)
            let writer = Writer(log: log, logger: LogLines().logger)
            try await withThrowingTaskGroup { group in
                defer { group.cancelAll() }
                group.addTask { try await writer.run() }
                try await writer.whenOpen()
                let command = AddEntryKey(id, reason: nil, by: .system)
                _ = try await writer.perform(CommandRequest(command))
            }
            await pool.close()
            let file = data / "backup"
            _ = try await LogBackup(RunningDatabase(connection)).run(to: file.string)
            try await body(file, data, id)
        }
    }

    private func particulars(
        of file: Path,
        data: Path
    ) async throws -> LogCheck.Particulars {
        let finding = try await BackupCheck(file.string, data: data.string).run()
        guard case .sound(_, _, let particulars) = finding else {
            throw LogCheckFailure(description: "a good backup is called broken: \(finding)")
        }
        return particulars
    }

    @Test func `with its keys every entry is seen to be the service's`() async throws {
        try await withBackup { file, data, _ in
            let found = try await particulars(of: file, data: data)
            #expect(found.isComputed && found.obstacle == nil && found.since == Position(1))
            let text = String(decoding: try file.read(sizeMaximum: 1 << 20), as: UTF8.self)
            // The code in another letter, which stays base64.
            let place = try #require(text.firstRange(of: "\"authenticator\":\"")?.upperBound)
            let letter = try #require(text[place...].firstIndex(of: "/").map(text.index(after:)))
            var altered = text
            altered.replaceSubrange(letter...letter, with: text[letter] == "A" ? "B" : "A")
            let forged = data / "forged"
            try forged.writeDurably(Array(altered.utf8))
            let finding = try await BackupCheck(forged.string, data: data.string).run()
            guard case .broken(Position(1), _) = finding else {
                Issue.record("what nobody's key made is not named: \(finding)")
                return
            }
        }
    }

    // The data folder of whoever looks may be another service's, and its keys be locked.
    @Test(arguments: [true, false])
    func `without its keys it is no worse, and said not to be looked at`(
        isAbsent: Bool
    ) async throws {
        try await withBackup { file, _, id in
            try await withFolder { other in
                let keys = EntryKeyFolder(other / "keys" / EntryKeyFolder.name)
                _ = try keys.first()
                if !isAbsent {
                    let key = keys.path / id.text
                    try key.writeDurably(Array("nonsense".utf8), permissions: .ownerOnly)
                }
                let found = try await particulars(of: file, data: other)
                #expect(!found.isComputed)
                #expect(found.obstacle?.contains(id.text) == true)
            }
            try await withFolder { empty in
                let found = try await particulars(of: file, data: empty)
                #expect(!found.isComputed && found.obstacle == nil)
            }
        }
    }
}
