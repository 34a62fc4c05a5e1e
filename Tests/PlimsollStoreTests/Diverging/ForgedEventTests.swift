import FoundationEssentials
import PlimsollDomain
import PlimsollLog
import PlimsollPostgres
import PlimsollSystem
import PlimsollTestSupport
import Testing

@testable import PlimsollStore

/// Somebody with the service's login at the database, who writes events of their own.
@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(2)))
struct ForgedEventTests {
    // The negative control: what every log was open to before entries were authenticated.
    @Test func `without authenticators an invented event is believed`() async throws {
        try await withWriter(clock: { .now }) { writer, log in
            _ = try await writer.perform(CommandRequest(failure()))
            try await forge(after: writer.logState)
            writer.ring()
            await writer.wait(for: Position(2), patience: .seconds(20))
            #expect(writer.logState.position == Position(2))
            #expect(writer.prohibition == nil)
        }
    }

    @Test(arguments: Forgery.allCases)
    func `an invented event is believed by nobody, and all else is read only`(
        forgery: Forgery
    ) async throws {
        try await withAuthentication { folder in
            try await withAuthenticWriter(folder) { writer, log in
                let known = writer.logState
                try await forge(after: known, forgery, folder)
                writer.ring()
                try await writer.memory.whenForbidden()
                #expect(writer.prohibition?.cause == .logDamaged)
                #expect(writer.logState.position == known.position)
                #expect(writer.prohibition?.sentence.hasPrefix("Event 4") == true)
                await #expect(throws: WriteError.self) {
                    try await writer.perform(CommandRequest(failure()))
                }
                // It is authentic by itself; only who has read all before it sees that it is a copy.
                guard forgery != .wholeEntry else { return }
                #expect(try await log.events(after: .start).count == 3)
                await #expect(throws: LogError.self) { try await log.events(after: Position(3)) }
                await #expect(throws: LogError.self) { try await log.event(at: Position(4)) }
                #expect(try await Checkpoints(log).leaves(after: 0).count == 3)
            }
        }
    }

    @Test func `a start believes what stands before it, and reads only`() async throws {
        try await withAuthentication { folder in
            let known = try await withAuthenticWriter(folder) { writer, _ in writer.logState }
            try await forge(after: known, .unsigned, folder)
            let authentication = EntryAuthentication(keysIn: folder)
            try await withWriter(
                on: try ScratchDatabase.current.connection,
                authentication: authentication
            ) { writer, _ in
                #expect(writer.logState == known)
                #expect(writer.prohibition?.cause == .logDamaged)
            }
        }
    }

    @Test func `an event that is missing, or cannot be read, ends nobody`() async throws {
        for sql in [
            "DELETE FROM log.event WHERE position = 2",
            "UPDATE log.event SET entry = 'nonsense' WHERE position = 2",
        ] as [StaticString] {
            try await withWriter(clock: { .now }) { writer, _ in
                while writer.logState.position < Position(3) {
                    _ = try await writer.perform(CommandRequest(failure()))
                }
            }
            try await tamper(sql)
            try await withWriter(clock: { .now }) { writer, _ in
                #expect(writer.logState.position == Position(1))
                #expect(writer.prohibition?.cause == .logDamaged)
            }
            try await lose(after: 0)
        }
    }

    // While events are folded the next are read already, and may be what is wrong first.
    @Test func `a start goes as far as the first of two events that are wrong`() async throws {
        try await withWriter(clock: { .now }) { writer, _ in
            while writer.logState.position < Position(5) {
                _ = try await writer.perform(CommandRequest(failure()))
            }
        }
        try await tamper(
            """
            UPDATE log.event SET entry = (SELECT entry FROM log.event WHERE position = 2)
            WHERE position = 3
            """
        )
        try await tamper("UPDATE log.event SET entry = 'nonsense' WHERE position = 4")
        try await withWriter(clock: { .now }) { writer, _ in
            #expect(writer.logState.position == Position(2))
            #expect(writer.prohibition?.cause == .logDamaged)
            #expect(writer.prohibition?.sentence.hasPrefix("Event 3") == true)
        }
    }

    @Test func `without the secret nothing is believed, and it says which is missing`() async throws
    {
        try await withAuthentication { folder in
            let key = try folder.first()
            try await withAuthenticWriter(folder) { _, _ in }
            _ = try (folder.path / "first").removeFile()
            try await withWriter(
                on: try ScratchDatabase.current.connection,
                authentication: EntryAuthentication(keysIn: folder)
            ) { writer, _ in
                #expect(writer.prohibition?.cause == .logDamaged)
                #expect(writer.prohibition?.sentence.contains("\(key.id)") == true)
                #expect(writer.prohibition?.sentence.contains("\(folder.path)") == true)
            }
        }
    }

    // Another instance has added a key, and this one has not read that yet.
    @Test func `a key that was added meanwhile is learned`() async throws {
        try await withAuthentication { folder in
            try await withAuthenticWriter(folder) { writer, log in
                let stale = EventLog(
                    log.database,
                    authentication: EntryAuthentication(keysIn: folder)
                )
                try await stale.learnEntryKeys()
                let next = try folder.make()
                let admin = try await admin(writer)
                _ = try await writer.perform(
                    CommandRequest(AddEntryKey(next.id, reason: nil, by: admin))
                )
                let last = try await writer.perform(CommandRequest(failure())).position
                #expect(try await stale.event(at: last)?.position == last)
                #expect(try await stale.replay(into: 0) { count, _ in count += 1 } == last.rawValue)
            }
        }
    }

    @Test func `what is written with a key that was retired is refused`() async throws {
        let clock = TestClock()
        try await withAuthentication { folder in
            try await withAuthenticWriter(folder, clock: { clock.now }) { writer, log in
                let old = try #require(writer.logState.entryKeys.current).key
                let admin = try await admin(writer)
                let next = try folder.make()
                _ = try await writer.perform(
                    CommandRequest(AddEntryKey(next.id, reason: nil, by: admin))
                )
                clock.step(.seconds(61))
                _ = try await writer.perform(
                    CommandRequest(RetireEntryKey(old, reason: nil, by: admin))
                )
                let key = try #require(try folder.key(old))
                try await forge(after: writer.logState, with: key)
                writer.ring()
                try await writer.memory.whenForbidden()
                #expect(writer.prohibition?.sentence.contains("retired") == true)
            }
        }
    }

    // Goal: no record has a command taken for done that was not. Method: one that names no event, as
    // the service's login can add it, and one that names what came of another command.
    @Test(arguments: [nil, 1] as [Int64?])
    func `a record that somebody else wrote has no command taken for done`(
        _ first: Int64?
    ) async throws {
        try await withAuthentication { folder in
            try await withAuthenticWriter(folder) { writer, log in
                let request = CommandRequest(failure(), identity: .named("foreseen"))
                let identity = request.identity
                let session = try await Session.open(ScratchDatabase.current.connection)
                try await session.execute(
                    """
                    INSERT INTO log.command (
                        first_position, last_position, recorded_at, command_id, request_digest,
                        outcome
                    ) VALUES (
                        \(first as Int64?), 1, now(), \(identity.id.uuid), \(identity.requestDigest), ''
                    )
                    """
                )
                await session.close()
                await #expect(throws: WriteError.mismatch) { try await writer.perform(request) }
                #expect(writer.prohibition == nil)
                #expect(try await log.events(after: .start).count == 3)
                let real = CommandRequest(failure(), identity: .named("real"))
                let receipt = try await writer.perform(real)
                let again = try await writer.perform(real)
                #expect(again.span == receipt.span && again.freshness == .repeated)
            }
        }
    }

    // It has not read the invented event yet, and the database takes what it sends: nobody is to be
    // told that nothing was written.
    @Test func `what stands behind an invented event is neither acknowledged nor denied`()
        async throws
    {
        try await withAuthentication { folder in
            try await withAuthenticWriter(folder, pollInterval: .seconds(3600)) { writer, log in
                try await forge(after: writer.logState, .unsigned, folder)
                await #expect(throws: WriteError.storeAway) {
                    try await writer.perform(CommandRequest(failure()))
                }
                #expect(writer.prohibition?.cause == .logDamaged)
                #expect(try await log.head().position == Position(5))
                await #expect(throws: WriteError.self) {
                    try await writer.perform(CommandRequest(failure()))
                }
                #expect(try await log.head().position == Position(5))
            }
        }
    }

    @Test func `what was invented is cut off, with what stands behind it, and all goes on`()
        async throws
    {
        try await withAuthentication { folder in
            try await withAuthenticWriter(folder, pollInterval: .seconds(3600)) { writer, _ in
                try await forge(after: writer.logState, .copied, folder)
                _ = try? await writer.perform(CommandRequest(failure()))
            }
            try await invokeAddCheckpoint(size: 4)
            var kept: [CutEntries] = []
            let cut = try await cut(folder) { kept.append($0) }
            #expect(cut.first == Position(4) && cut.last == Position(5))
            guard case .entries(let entries) = kept.first else {
                Issue.record("nothing was kept: \(kept)")
                return
            }
            #expect(entries.map(\.position) == [Position(4), Position(5)])
            #expect(kept.dropFirst() == [.end])
            await #expect(throws: CutRefusal.nothingToCut(events: 3)) {
                try await self.cut(folder) { _ in }
            }
            try await withWriter(
                on: try ScratchDatabase.current.connection,
                authentication: EntryAuthentication(keysIn: folder)
            ) { writer, log in
                let position = try await writer.perform(CommandRequest(failure())).position
                #expect(position == Position(4))
                #expect(try await log.events(after: .start).count == 4)
                // A line of the witness under a checkpoint of that size is the first one.
                #expect(try await log.database.query("SELECT FROM log.cosignature").isEmpty)
            }
            await #expect(throws: PostgresError.self) {
                try await tamper("DELETE FROM log.event", liftingTriggers: false)
            }
        }
    }

    @Test func `an old event that was changed is no end to be cut off`() async throws {
        try await withAuthentication { folder in
            try await withAuthenticWriter(folder) { _, _ in }
            try await tamper("UPDATE log.event SET entry = 'nonsense' WHERE position = 3")
            await #expect(throws: CutRefusal.signed(Position(3), size: 3)) {
                try await cut(folder, published: 3) { _ in }
            }
        }
    }

    @Test func `what cannot be kept is not cut off`() async throws {
        struct NoRoom: Error {}
        try await withAuthentication { folder in
            let known = try await withAuthenticWriter(folder) { writer, _ in writer.logState }
            try await forge(after: known, .unsigned, folder)
            await #expect(throws: NoRoom.self) { try await cut(folder) { _ in throw NoRoom() } }
            let head = try await withLog { log, _ in try await log.head().position }
            #expect(head == Position(4))
        }
    }

    // A newer program, beside one that is older: nothing that it wrote is ever cut off.
    @Test func `what a newer program wrote is not cut off`() async throws {
        try await withAuthentication { folder in
            let known = try await withAuthenticWriter(folder) { writer, _ in writer.logState }
            let key = try folder.first()
            let plain = try EventCodec.encode(invented(after: known))
            let text = String(decoding: plain, as: UTF8.self)
            let newer = Array(text.replacing("PrincipalAdded", with: "PrincipalPraised").utf8)
            let member = String(decoding: key.member(of: newer), as: UTF8.self)
            try await appendForged(invented(after: known), newer.inserting(member))
            try await withWriter(
                on: try ScratchDatabase.current.connection,
                authentication: EntryAuthentication(keysIn: folder)
            ) { writer, _ in
                #expect(writer.prohibition?.sentence.contains("newer Plimsoll") == true)
            }
            do {
                _ = try await cut(folder) { _ in }
                Issue.record("it was cut off")
            } catch CutRefusal.notAtEnd(let sentence) {
                #expect(sentence.contains("newer Plimsoll"))
            }
        }
    }

    @discardableResult
    private func cut(
        _ folder: EntryKeyFolder,
        published: Int = 0,
        _ keep: (CutEntries) throws -> Void
    ) async throws -> CutLog {
        let name = try #require(KeyName("log.example.com"))
        return try await StoreSchema.cut(
            try ScratchDatabase.current.connection,
            authentication: EntryAuthentication(keysIn: folder),
            published: published,
            signedBy: SignerKey(name: name, kind: .note).verifierKey,
            keep
        )
    }

    /// A checkpoint that nobody signed, as the service's login can record one.
    private func invokeAddCheckpoint(size: Int64) async throws {
        let session = try await openServiceSession()
        _ = try await session.query(
            """
            SELECT log.add_checkpoint(
                \(size), \([UInt8](repeating: 7, count: 32)), \([UInt8](repeating: 7, count: 32)),
                'junk'
            )
            """
        )
        _ = try await session.query("SELECT log.add_cosignature(\(size), 'witness', 'junk')")
        await session.close()
    }

    // Beside the service, whoever asks for it: with its keys, and without them by whether one is named.
    @Test(arguments: [true, false])
    func `a rebuild folds nothing that the service did not write`(hasKeys: Bool) async throws {
        try await withAuthentication { folder in
            let known = try await withAuthenticWriter(folder) { writer, _ in writer.logState }
            let pool = SessionPool(try ScratchDatabase.current.connection)
            let keys = EntryAuthentication(keysIn: hasKeys ? folder : nil)
            let rebuild = Rebuild(log: EventLog(pool, authentication: keys), pool: pool)
            let position = try await rebuild.run().position
            #expect(position == Position(3))
            try await forge(after: known, .unsigned, folder)
            try await pool.execute("UPDATE projection.state SET position = 4")
            await #expect(throws: LogError.self) { try await rebuild.run() }
            await pool.close()
        }
    }

    @Test func `the whole log is held against its authenticators`() async throws {
        try await withAuthentication { folder in
            try await withAuthenticWriter(folder) { writer, log in
                try await forge(after: writer.logState, .unsigned, folder)
                for keys in [folder, nil] {
                    let found = try await log.verify { sizes in
                        EntryVerifier(
                            rootsOf: sizes,
                            authentication: EntryAuthentication(keysIn: keys)
                        )
                    }
                    guard case .broken(_, let flaw) = found else {
                        Issue.record("\(found)")
                        continue
                    }
                    #expect(flaw == LogFlawFound(Position(4), .unauthentic(.key(.missing))))
                }
            }
        }
    }
}
