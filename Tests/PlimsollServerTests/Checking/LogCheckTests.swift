import FoundationEssentials
import PlimsollDomain
import PlimsollPublishing
import PlimsollSystem
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
import Testing

@testable import PlimsollServer

/// What is done with a database itself, service or not.
@Suite(.scratchDatabase(template: serverTemplate), .timeLimit(.minutes(5)))
struct LogCheckTests {
    /// Registers apps, each in an append of four or more events.
    private func register(_ slugs: AppSlug...) async throws {
        let pool = SessionPool(try ScratchDatabase.current.connection, settings: .service)
        let writer = Writer(log: EventLog(pool), logger: LogLines().logger)
        try await withThrowingTaskGroup { group in
            defer { group.cancelAll() }
            group.addTask { try await writer.run() }
            try await writer.whenOpen()
            for slug in slugs {
                _ = try await writer.perform(CommandRequest(registration(of: slug)))
            }
        }
        await pool.close()
    }

    private func finding(_ data: Path? = nil) async throws -> LogCheck.Finding {
        let database = RunningDatabase(try ScratchDatabase.current.connection)
        return try await LogCheck(database, data: data?.string).run()
    }

    @Test func `a whole log is sound, with or without what was published`() async throws {
        try await register(harbour)
        try await withFolder { data in
            _ = try Publication(in: data)
            for finding in [try await finding(), try await finding(data)] {
                guard case .sound(events: 4, _, _) = finding else {
                    Issue.record("a whole log is called broken")
                    return
                }
            }
        }
    }

    /// Lets two people in whose names the log says.
    private func letPeopleIn() async throws -> [PrincipalID] {
        let pool = SessionPool(try ScratchDatabase.current.connection, settings: .service)
        let writer = Writer(log: EventLog(pool), logger: LogLines().logger)
        let people = [PrincipalID(UUID()), PrincipalID(UUID())]
        try await withThrowingTaskGroup { group in
            defer { group.cancelAll() }
            group.addTask { try await writer.run() }
            try await writer.whenOpen()
            for person in people {
                let name = SaltedName.made(of: "Somebody \(person)")
                try await Directory(pool).hold(name, of: person)
                let command = AdmitPrincipal(
                    person,
                    grants: [RoleGrant(.viewer, in: .all)],
                    name: name.commitment,
                    by: .system
                )
                _ = try await writer.perform(CommandRequest(command))
            }
            try await Directory(pool).forget([people[1]])
        }
        await pool.close()
        return people
    }

    private func particulars(
        _ finding: LogCheck.Finding
    ) throws -> LogCheck.Particulars {
        guard case .sound(_, _, let particulars) = finding else {
            throw LogCheckFailure(description: "a whole log is called broken: \(finding)")
        }
        return particulars
    }

    @Test func `names beside a log, and beside its backup, are held against it`() async throws {
        let people = try await letPeopleIn()
        let sound = try #require(try particulars(try await finding()).names)
        #expect(sound.verified == 1 && sound.missing == [people[1]])
        #expect(sound.committedSince == Position(1))
        let session = try await Session.open(try ScratchDatabase.current.connection)
        try await session.execute("UPDATE directory.principal SET name = 'Bob'")
        await session.close()
        #expect(try particulars(try await finding()).names?.altered == [people[0]])
        try await withFolder { data in
            let file = data / "backup"
            let database = RunningDatabase(try ScratchDatabase.current.connection)
            _ = try await LogBackup(database).run(to: file.string)
            let names = try particulars(try await BackupCheck(file.string).run()).names
            #expect(names?.altered == [people[0]] && names?.missing == [people[1]])
            _ = try Path("\(file).names").removeFile()
            #expect(try particulars(try await BackupCheck(file.string).run()).names == nil)
        }
    }

    // As the service's login can have it written, and as the owner of the tables can.
    @Test(arguments: [nil, 1_000_000] as [Int64?])
    func `a record of a command that no event came of is named`(_ first: Int64?) async throws {
        try await register(harbour)
        #expect(try particulars(try await finding()).strayCommands == [])
        let id = UUID()
        let session = try await Session.open(try ScratchDatabase.current.connection)
        try await session.execute(
            """
            INSERT INTO log.command (
                first_position, last_position, recorded_at, command_id, request_digest, outcome
            ) VALUES (\(first as Int64?), \(first ?? 2), now(), \(id), sha256(''), '')
            """
        )
        await session.close()
        #expect(try particulars(try await finding()).strayCommands == [CommandID(id)])
        guard first == nil else { return }
        try await withFolder { data in
            let file = data / "backup"
            let database = RunningDatabase(try ScratchDatabase.current.connection)
            _ = try await LogBackup(database).run(to: file.string)
            let found = try await BackupCheck(file.string).run()
            #expect(try particulars(found).strayCommands == [CommandID(id)])
        }
    }

    // Goal: whoever has the service's login accuses no event with a checkpoint of their own.
    @Test func `a record of a checkpoint that the log's key has not signed is named`() async throws
    {
        try await SignedLog.with { log in
            #expect(try particulars(try await log.finding()).strayCheckpoints == [])
            try await log.recordStrayCheckpoint(over: 5)
            for withPublished in [true, false] {
                let finding = try await log.finding(withPublished: withPublished)
                #expect(try particulars(finding).strayCheckpoints == [5])
            }
            try await log.recordForgedCheckpoint(over: 7)
            #expect(try particulars(try await log.finding()).strayCheckpoints == [5, 7])
            // Without the key nobody can tell, and it says so.
            guard case .broken(_, let sentence) = try await log.finding(withPublished: false) else {
                Issue.record("what contradicts the log is not named")
                return
            }
            #expect(sentence.contains("--log-key"), "\(sentence)")
        }
    }

    @Test func `a restored backup that is older than what was published is refused`()
        async throws
    {
        try await register(harbour)
        try await withFolder { data in
            var publication = try Publication(in: data)
            try publication.renew()
            let finding = try await finding(data)
            guard case .broken(Position(5), let sentence) = finding else {
                Issue.record("an older log is called sound: \(finding)")
                return
            }
            #expect(sentence.contains("the log ends at 4"))
        }
    }

    @Test func `a database that is not there says nothing about the log`() async throws {
        let nowhere = RunningDatabase(url: "host=/nowhere user=nobody")
        await #expect(throws: LogCheckFailure.self) {
            try await LogCheck(nowhere, data: nil).run()
        }
        await #expect(throws: LogCheckFailure.self) { try await nowhere.settingFaults() }
    }

    @Test func `settings that lose what was acknowledged are named`() async throws {
        let safe = RunningDatabase(try ScratchDatabase.current.connection)
        #expect(try await safe.settingFaults() == [])
        try await ScratchDatabaseServer.with(settings: ["synchronous_commit=off"]) { server in
            let session = try await server.open()
            try await session.execute("CREATE ROLE plimsoll_service")
            await session.close()
            let faults = try await RunningDatabase(server.connection).settingFaults()
            #expect(faults.count == 1)
            #expect(faults.first?.contains("synchronous_commit = off") == true)
        }
    }
}
