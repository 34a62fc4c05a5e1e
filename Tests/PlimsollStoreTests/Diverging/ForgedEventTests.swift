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

    // It has not read the invented event yet, and the database takes what it sends.
    @Test func `nothing that stands behind an invented event is acknowledged`() async throws {
        try await withAuthentication { folder in
            try await withAuthenticWriter(folder, pollInterval: .seconds(3600)) { writer, log in
                try await forge(after: writer.logState, .unsigned, folder)
                do {
                    let receipt = try await writer.perform(CommandRequest(failure()))
                    Issue.record("acknowledged as event \(receipt.position)")
                } catch WriteError.readOnly(let prohibition) {
                    #expect(prohibition.cause == .logDamaged)
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
            try await append(invented(after: known), newer.inserting(member))
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
        try await StoreSchema.cut(
            try ScratchDatabase.current.connection,
            authentication: EntryAuthentication(keysIn: folder),
            published: published,
            isSigned: { _ in false },
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
        await session.close()
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

/// What somebody without the secret can write.
enum Forgery: CaseIterable {
    /// No authenticator at all.
    case unsigned
    /// That of the entry before.
    case copied
    /// One with a key of their own, under the name of the service's.
    case underItsName
    /// One with a key of their own.
    case ofAnotherKey
    /// A text in its place.
    case nonsense
    /// A whole entry of before, byte for byte.
    case wholeEntry
}

private func withAuthentication(_ body: (EntryKeyFolder) async throws -> Void) async throws {
    try await withFolder { folder in
        let keys = EntryKeyFolder(folder / EntryKeyFolder.name)
        _ = try keys.first()
        try await body(keys)
    }
}

/// A writer whose log has three events, the second of which begins to authenticate.
private func withAuthenticWriter<Answer: Sendable>(
    _ folder: EntryKeyFolder,
    pollInterval: Duration = .seconds(1),
    clock: @escaping @Sendable () -> Instant = { .now },
    _ body: (Writer, EventLog) async throws -> Answer
) async throws -> Answer {
    let authentication = EntryAuthentication(keysIn: folder)
    let key = try #require(try authentication.prepare())
    return try await withWriter(
        on: try ScratchDatabase.current.connection,
        pollInterval: pollInterval,
        clock: clock,
        authentication: authentication
    ) { writer, log in
        _ = try await writer.perform(CommandRequest(failure()))
        _ = try await writer.perform(CommandRequest(AddEntryKey(key, reason: nil, by: .system)))
        _ = try await writer.perform(CommandRequest(failure()))
        return try await body(writer, log)
    }
}

private func admin(_ writer: Writer) async throws -> PrincipalID {
    let admission = try admission()
    let command = IssueToken(
        token: admission.token,
        grants: [RoleGrant(.admin, in: .all)],
        by: .system
    )
    _ = try await writer.perform(CommandRequest(command))
    return admission.token.principal
}

/// Appends an event through the function that the service appends with.
private func forge(
    after known: LogState,
    _ forgery: Forgery = .unsigned,
    _ folder: EntryKeyFolder? = nil
) async throws {
    let forged = invented(after: known)
    let plain = try EventCodec.encode(forged)
    let own = try #require(EntryKey((0..<32).map { UInt8($0) }))
    let said = String(decoding: own.member(of: plain), as: UTF8.self)
    let key = try folder?.first().id.text ?? ""
    let member: String =
        switch forgery {
        case .unsigned: ""
        case .copied: try await lastMember()
        case .underItsName: said.replacing(own.id.text, with: key)
        case .ofAnotherKey: said
        case .nonsense: #","authenticator":"trust-me""#
        case .wholeEntry: ""
        }
    let entry = forgery == .wholeEntry ? try await lastEntry() : plain.inserting(member)
    try await append(forged, entry)
}

private func forge(after known: LogState, with key: EntryKey) async throws {
    let forged = invented(after: known)
    try await append(forged, try EventCodec.encode(forged, with: key))
}

private func invented(after known: LogState) -> RecordedEvent {
    let now = Instant.now.advanced(by: .seconds(120))
    return RecordedEvent(
        position: known.position.advanced(by: 1),
        id: UUID(version7: now),
        stream: .access,
        revision: known.revision(of: .access).next,
        recordedAt: now,
        command: CommandID(UUID()),
        origin: Origin(actor: .system, authentication: .service, correlation: UUID()),
        event: .access(.principalAdded(PrincipalID(UUID())))
    )
}

private func append(_ event: RecordedEvent, _ entry: [UInt8]) async throws {
    let session = try await openServiceSession()
    _ = try await session.query(
        """
        SELECT log.append_one(
            \(event.command.uuid), \([1] as [UInt8]), \([2] as [UInt8]),
            \(Timestamp(event.recordedAt)), NULL, NULL, \(event.stream.text),
            \(event.revision.rawValue), \(event.event.type.rawValue), \(Int32(1)), \(event.id),
            \(entry)
        )
        """
    )
    await session.close()
}

/// What the last entry says it is authenticated with.
private func lastMember() async throws -> String {
    let entry = try await lastEntry()
    var decoder = EventDecoder()
    _ = try decoder.decode(entry.span, at: Position(1))
    let place = try #require(decoder.authenticator)
    return String(decoding: entry[place.member], as: UTF8.self)
}

private func lastEntry() async throws -> [UInt8] {
    let session = try await openServiceSession()
    let row = try #require(
        try await session.query("SELECT entry FROM log.event ORDER BY position DESC LIMIT 1").first
    )
    let entry: [UInt8] = try row.value(at: 0)
    await session.close()
    return entry
}

private func tamper(_ sql: StaticString, liftingTriggers: Bool = true) async throws {
    let session = try await Session.open(ScratchDatabase.current.connection)
    do {
        if liftingTriggers {
            try await session.script("ALTER TABLE log.event DISABLE TRIGGER event_refuse_change")
        }
        try await session.script("\(raw: sql)")
        try await session.script(
            "ALTER TABLE log.event ENABLE ALWAYS TRIGGER event_refuse_change"
        )
        await session.close()
    } catch {
        await session.close()
        throw error
    }
}

extension [UInt8] {
    /// The entry with a member behind that which says how its actor was known.
    fileprivate func inserting(_ member: String) -> [UInt8] {
        let text = String(decoding: self, as: UTF8.self)
        let known = #""authentication":"service""#
        return Array(text.replacing(known, with: known + member).utf8)
    }
}
