import FoundationEssentials
import PlimsollDomain
import PlimsollLog
import PlimsollPublishing
import PlimsollSystem
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
import Testing

@testable import PlimsollServer

/// A log that goes into a file and comes back, on real databases.
@Suite(.scratchDatabase(template: serverTemplate), .timeLimit(.minutes(5)))
struct BackupTests {
    /// A database beside the test's own, with nothing in it.
    private func withEmptyDatabase(
        _ body: (RunningDatabase) async throws -> Void
    ) async throws {
        let empty = try await ScratchDatabase.create(for: "restored")
        do {
            try await body(RunningDatabase(empty.connection))
        } catch {
            try await empty.drop()
            throw error
        }
        try await empty.drop()
    }

    private func remember(
        _ name: String,
        salt: [UInt8]? = nil,
        in log: SignedLog
    ) async throws -> PrincipalID {
        let principal = PrincipalID(UUID())
        let session = try await Session.open(log.connection)
        try await Directory(session).hold(SaltedName(name, salt: salt), of: principal)
        await session.close()
        return principal
    }

    @Test func `a log comes back byte for byte, with its root and the names`() async throws {
        try await SignedLog.with { log in
            _ = try await remember("Alice \"the\" Smith\n", in: log)
            let (first, second) = (log.data / "first", log.data / "second")
            let written = try await LogBackup(log.database).run(to: first.string)
            #expect(written.events == SignedLog.count)
            #expect(written.names == 1)
            try await withEmptyDatabase { empty in
                let outcome = try await LogRestoration(empty).run(from: first.string)
                #expect(
                    outcome == .restored(events: written.events, root: written.root, names: 1)
                )
                let finding = try await LogCheck(empty, data: log.data.string).run()
                guard case .sound(written.events, written.root, _) = finding else {
                    Issue.record("the restored log does not fit: \(finding)")
                    return
                }
                _ = try await LogBackup(empty).run(to: second.string)
                for suffix in ["", ".names"] {
                    let (old, new) = (Path("\(first)\(suffix)"), Path("\(second)\(suffix)"))
                    #expect(
                        try old.read(sizeMaximum: 1 << 20) == (try new.read(sizeMaximum: 1 << 20))
                    )
                }
                let refusal = await #expect(throws: BackupFailure.self) {
                    _ = try await LogRestoration(empty).run(from: first.string)
                }
                // Nothing is wrong with the file.
                #expect(refusal?.cause == .place)
            }
        }
    }

    // Goal: what was backed up before the schema became one baseline is restored into it, with
    // every type of event that a walk through all routes leaves. The file is never changed.
    @Test func `a log of before the baseline is restored byte for byte`() async throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Golden/before-baseline.ndjson").path
        let root = "a000e07519e1bf641bcffc4e08c94064b865c51ed68a25bfb5b13a783ebdb6a7"
        try await withEmptyDatabase { database in
            let outcome = try await LogRestoration(database).run(from: file)
            #expect(outcome == .restored(events: 126, root: root, names: 6))
            try await withFolder { data in
                let again = data / "again"
                _ = try await LogBackup(database).run(to: again.string)
                let (old, new) = (Path(file), again)
                #expect(try old.read(sizeMaximum: 1 << 20) == (try new.read(sizeMaximum: 1 << 20)))
            }
        }
    }

    // And whoever restores others than the log says.
    @Test func `whoever restores without the names is told of how many there is none`() async throws
    {
        try await SignedLog.with { log in
            let (file, person) = (log.data / "backup", PrincipalID(UUID()))
            try await log.withWriter { writer in
                let admission = AdmitPrincipal(
                    person,
                    grants: [RoleGrant(.viewer, in: .all)],
                    name: SaltedName.made(of: "alice").commitment,
                    by: .system
                )
                _ = try await writer.perform(CommandRequest(admission))
            }
            _ = try await LogBackup(log.database).run(to: file.string)
            _ = try Path("\(file).names").removeFile()
            try await withEmptyDatabase { empty in
                let outcome = try await LogRestoration(empty).run(from: file.string)
                guard case .restored(_, _, 0, let remarks) = outcome else {
                    Issue.record("it was not restored: \(outcome)")
                    return
                }
                #expect(remarks.namesMissing == 1)
                let restored = SignedLog(data: log.data, connection: empty.connection)
                try await restored.withWriter { writer in
                    let erasure = EraseName(of: person, by: .system)
                    _ = try await writer.perform(CommandRequest(erasure))
                }
                // Once the log says that it is erased, nobody misses it any more.
                let finding = try await LogCheck(empty, data: nil).run()
                guard case .sound(_, _, let particulars) = finding else {
                    Issue.record("the restored log does not fit: \(finding)")
                    return
                }
                #expect(particulars.names?.missing == [])
            }
            let other = #"{"id":"\#(person)","name":"mallory"}"# + "\n"
            try Path("\(file).names").writeDurably(Array(other.utf8))
            try await withEmptyDatabase { empty in
                let outcome = try await LogRestoration(empty).run(from: file.string)
                guard case .restored(_, _, 1, let remarks) = outcome else {
                    Issue.record("it was not restored: \(outcome)")
                    return
                }
                #expect(remarks.namesMissing == 0)
                #expect(remarks.namesAltered == 1)
            }
        }
    }

    // Whoever foresees a command can write one with the service's login.
    @Test func `a record of a command that no event came of is not carried along`() async throws {
        try await SignedLog.with { log in
            let file = log.data / "backup"
            try await log.tamper(
                """
                INSERT INTO log.command (
                    last_position, recorded_at, command_id, request_digest, outcome
                ) VALUES (2, now(), '0d2c7a9e-5b31-5c62-9a35-e8d2b41f6c07', sha256(''), '')
                """
            )
            _ = try await LogBackup(log.database).run(to: file.string)
            try await withEmptyDatabase { empty in
                let outcome = try await LogRestoration(empty).run(from: file.string)
                guard case .restored(_, _, _, let remarks) = outcome else {
                    Issue.record("it was not restored: \(outcome)")
                    return
                }
                #expect(remarks.strayCommands == 1)
                let finding = try await LogCheck(empty, data: nil).run()
                guard case .sound(_, _, let particulars) = finding else {
                    Issue.record("the restored log does not fit: \(finding)")
                    return
                }
                #expect(particulars.strayCommands == [])
            }
        }
    }

    // Whoever has the service's login can record one.
    @Test func `a checkpoint that the log's key has not signed is not carried along`() async throws
    {
        try await SignedLog.with { log in
            let file = log.data / "backup"
            try await log.recordStrayCheckpoint(over: 5)
            try await log.recordForgedCheckpoint(over: 7)
            _ = try await LogBackup(log.database).run(to: file.string)
            guard
                case .sound(_, _, let found) = try await BackupCheck(
                    file.string,
                    data: log.data.string
                ).run()
            else {
                Issue.record("a whole log is called broken")
                return
            }
            #expect(found.strayCheckpoints == [5, 7])
            try await withEmptyDatabase { empty in
                let outcome = try await LogRestoration(empty, data: log.data.string)
                    .run(from: file.string)
                guard case .restored(_, _, _, let remarks) = outcome else {
                    Issue.record("it was not restored: \(outcome)")
                    return
                }
                #expect(remarks.strayCheckpoints == 2)
                let session = try await Session.open(empty.connection)
                let rows = try await session.query("SELECT size FROM log.checkpoint")
                await session.close()
                let sizes = try rows.map { try $0.value(at: 0, as: Int64.self) }
                #expect(sizes == [Int64(SignedLog.count)])
            }
        }
    }

    // A data folder may be that of another service; a key that somebody names is the log's.
    @Test func `a key of another log makes no checkpoint a stray one, unless it was named`()
        async throws
    {
        try await SignedLog.with { log in
            let file = log.data / "backup"
            _ = try await LogBackup(log.database).run(to: file.string)
            let name = try #require(KeyName("other.example.com"))
            let other = SignerKey(name: name, kind: .note).verifierKey
            let data = log.data / "other"
            let text = Array((other.text + "\n").utf8)
            let place = ExportFolder(data / "export").logKey
            try place.parent.createFolder()
            try place.writeDurably(text)
            for (key, strays) in [(nil, []), (other, [SignedLog.count])] as [(VerifierKey?, [Int])]
            {
                let check = BackupCheck(file.string, data: data.string, key: key)
                guard case .sound(_, _, let found) = try await check.run() else {
                    Issue.record("a whole log is called broken")
                    return
                }
                #expect(found.strayCheckpoints == strays)
            }
        }
    }

    // As the service's login could write one before the database refused such a time.
    @Test func `a record of a command that has no time hinders no backup`() async throws {
        try await SignedLog.with { log in
            let file = log.data / "backup"
            try await log.tamper(
                """
                ALTER TABLE log.command DROP CONSTRAINT command_recorded_at_check;
                INSERT INTO log.command (
                    last_position, recorded_at, command_id, request_digest, outcome
                ) VALUES (2, 'infinity', gen_random_uuid(), sha256(''), '')
                """
            )
            let written = try await LogBackup(log.database).run(to: file.string)
            guard
                case .sound(written.events, written.root, _) =
                    try await BackupCheck(file.string).run()
            else {
                Issue.record("the backup does not fit")
                return
            }
        }
    }

    @Test func `what was restored and cannot be looked at again is said to be there`() async throws
    {
        try await SignedLog.with { log in
            let file = log.data / "backup"
            let written = try await LogBackup(log.database).run(to: file.string)
            try await withEmptyDatabase { empty in
                try await StoreSchema.prepare(empty.connection)
                let session = try await Session.open(empty.connection)
                try await session.execute("REVOKE SELECT ON log.event FROM plimsoll_service")
                let failure = await #expect(throws: BackupFailure.self) {
                    _ = try await LogRestoration(empty).run(from: file.string)
                }
                #expect(failure?.description.hasPrefix("The backup was restored, and") == true)
                #expect(failure?.cause == .database)
                try await session.execute("GRANT SELECT ON log.event TO plimsoll_service")
                await session.close()
                guard
                    case .sound(written.events, written.root, _) =
                        try await LogCheck(empty, data: nil).run()
                else {
                    Issue.record("it was not restored")
                    return
                }
            }
        }
    }

    @Test func `of a restoration whose end nobody knows it is not said that nothing came of it`()
        async throws
    {
        try await SignedLog.with { log in
            let file = log.data / "backup"
            _ = try await LogBackup(log.database).run(to: file.string)
            try await withEmptyDatabase { empty in
                try await StoreSchema.prepare(empty.connection)
                try await loseConnectionInCommit(of: empty)
                let failure = await #expect(throws: BackupFailure.self) {
                    _ = try await LogRestoration(empty).run(from: file.string)
                }
                #expect(failure?.description.hasPrefix("It is not known whether") == true)
                #expect(failure?.cause == .commit)
            }
        }
    }

    @Test func `a service goes on where the backup ended`() async throws {
        try await SignedLog.with { log in
            let file = log.data / "backup"
            _ = try await LogBackup(log.database).run(to: file.string)
            try await withEmptyDatabase { empty in
                _ = try await LogRestoration(empty).run(from: file.string)
                let restored = SignedLog(data: log.data, connection: empty.connection)
                try await restored.withWriter { writer in
                    #expect(writer.logState.position == Position(SignedLog.count))
                    _ = try await restored.admit(.viewer, writer)
                }
                guard case .sound(SignedLog.count + 3, _, _) = try await restored.finding() else {
                    Issue.record("the log that goes on is called broken")
                    return
                }
            }
        }
    }

    @Test func `a backup is for its owner alone, and nothing is written over`() async throws {
        try await SignedLog.with { log in
            let file = log.data / "backup"
            _ = try await LogBackup(log.database).run(to: file.string)
            #expect(try file.status()?.permissions == .ownerOnly)
            let before = try file.read(sizeMaximum: 1 << 20)
            #expect(!String(decoding: before, as: UTF8.self).contains("PRIVATE"))
            await #expect(throws: BackupFailure.self) {
                _ = try await LogBackup(log.database).run(to: file.string)
            }
            #expect(try file.read(sizeMaximum: 1 << 20) == before)
            #expect(try log.data.entries().filter { $0.hasPrefix(".") } == [])
        }
    }

    /// What happened to a file on its way.
    enum Damage: CaseIterable {
        case cut, lineLost, lineTwice, linesSwapped, byte, command, endless, afterEnd, empty
    }

    @Test(arguments: Damage.allCases)
    func `a backup that is damaged is refused, and nothing is restored`(
        _ damage: Damage
    ) async throws {
        try await SignedLog.with { log in
            let (file, damaged) = (log.data / "backup", log.data / "damaged")
            _ = try await LogBackup(log.database).run(to: file.string)
            let text = String(decoding: try file.read(sizeMaximum: 1 << 20), as: UTF8.self)
            var lines = text.split(separator: "\n").map(String.init)
            switch damage {
            case .cut: lines.removeLast(3)
            case .lineLost: lines.remove(at: 9)
            case .lineTwice: lines.insert(lines[9], at: 9)
            case .linesSwapped: lines.swapAt(2, 3)
            case .byte: lines[11] = lines[11].replacing("loses data", with: "loses date")
            case .command: lines.remove(at: SignedLog.count + 2)
            case .endless: lines.removeLast()
            case .afterEnd: lines.append(lines[1])
            case .empty: lines = []
            }
            try damaged.writeDurably(Array(lines.map { "\($0)\n" }.joined().utf8))
            try await withEmptyDatabase { empty in
                do throws(BackupFailure) {
                    let outcome = try await LogRestoration(empty).run(from: damaged.string)
                    guard case .broken = outcome else {
                        Issue.record("it was restored: \(outcome)")
                        return
                    }
                } catch {
                    #expect(error.description.contains("damaged"))
                }
                let outcome = try await LogRestoration(empty).run(from: file.string)
                guard case .restored = outcome else {
                    Issue.record("something was written before: \(outcome)")
                    return
                }
            }
        }
    }

    @Test func `an offline check names the event that was changed`() async throws {
        try await SignedLog.with { log in
            let file = log.data / "backup"
            try await log.tamper("DELETE FROM log.event WHERE position = 9")
            _ = try await LogBackup(log.database).run(to: file.string)
            let finding = try await BackupCheck(file.string).run()
            guard case .broken(Position(9), _) = finding else {
                Issue.record("the hole is not named: \(finding)")
                return
            }
        }
    }
}
