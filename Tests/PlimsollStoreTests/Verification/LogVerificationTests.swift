import FoundationEssentials
import PlimsollDomain
import PlimsollLog
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
import Testing

/// A log of six events, tampered with by a superuser in every way we could think of: the
/// verification names the first event that does not fit.
@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct LogVerificationTests {
    @Test func `a sound log has the root that its entries make`() async throws {
        let entries = try await fill()
        try await withLog { log, _ in
            var frontier = MerkleFrontier()
            for entry in entries { frontier.append(entry: entry) }
            #expect(try await log.verify() == .sound(frontier.root))
            let events = try await log.replay(into: [RecordedEvent]()) { $0.append($1) }
            #expect(events == (try await log.events(after: .start)))
            let rest = try await log.replay(after: Position(4), into: 0) { count, _ in count += 1 }
            #expect(rest == 2)
        }
    }

    @Test func `an empty log is sound`() async throws {
        try await withLog { log, _ in
            let verification = try await log.verify()
            #expect(verification == .sound(.empty))
        }
    }

    @Test(arguments: [
        (
            "UPDATE log.event SET type = 'TextSet' WHERE position = 3",
            LogFlaw.differs(column: "type")
        ),
        (
            "UPDATE log.event SET event_id = gen_random_uuid() WHERE position = 3",
            .differs(column: "event_id")
        ),
        (
            "UPDATE log.event SET command_id = gen_random_uuid() WHERE position = 3",
            .differs(column: "command_id")
        ),
        (
            "UPDATE log.event SET recorded_at = recorded_at + interval '1 us' WHERE position = 3",
            .differs(column: "recorded_at")
        ),
        (
            "ALTER TABLE log.event DROP CONSTRAINT event_recorded_at_check; UPDATE log.event SET recorded_at = 'infinity' WHERE position = 3",
            .differs(column: "recorded_at")
        ),
        (
            "UPDATE log.event SET stream = 'app/other' WHERE position = 3",
            .differs(column: "stream")
        ),
        ("UPDATE log.event SET revision = 77 WHERE position = 3", .differs(column: "revision")),
        (
            "UPDATE log.event SET entry = convert_to(replace(convert_from(entry, 'UTF8'), '{', '{ '), 'UTF8') WHERE position = 3",
            .unreadable(.malformed(offset: 0, needed: #"{"actor":""#))
        ),
        (
            #"UPDATE log.event SET entry = convert_to(replace(convert_from(entry, 'UTF8'), 'data":{', 'data":{ '), 'UTF8') WHERE position = 3"#,
            .notCanonical
        ),
        (
            "UPDATE log.event SET entry = overlay(entry PLACING 'x' FROM 12) WHERE position = 3",
            .unreadable(.malformed(offset: 10, needed: "a principal"))
        ),
        ("DELETE FROM log.event WHERE position = 3", .missing),
        ("DELETE FROM log.event WHERE position <= 3", .missing),
        (
            "ALTER TABLE log.event ALTER leaf_hash DROP EXPRESSION; UPDATE log.event SET leaf_hash = sha256('') WHERE position = 3",
            .leafHash
        ),
        (
            "DELETE FROM log.command WHERE first_position = 3", .command
        ),
        (
            "UPDATE log.command SET first_position = 2 WHERE first_position = 3", .command
        ),
    ])
    func `tampering is named`(script: String, flaw: LogFlaw) async throws {
        try await fill()
        try await tamper(script)
        let position = script.contains("<= 3") ? 1 : 3
        try await withLog { log, _ in
            let verification = try await log.verify()
            #expect(verification == .broken(Position(position), flaw))
        }
    }

    @Test(arguments: [(2, 2), (-5, 0)])
    func `a command that claims events that are not there is named`(
        first: Int,
        named: Int
    ) async throws {
        try await fill()
        try await tamper(
            """
            INSERT INTO log.command (first_position, last_position, recorded_at, command_id,
                request_digest, outcome)
            VALUES (\(first), 4, now(), gen_random_uuid(), '', '')
            """
        )
        try await withLog { log, _ in
            let verification = try await log.verify()
            #expect(verification == .broken(Position(named), .command))
        }
    }

    // Goal: what the database records of a checkpoint is held against the log and its key, and accuses no
    // event where it is wrong.
    @Test(arguments: [
        ("UPDATE log.checkpoint SET frontier = frontier || frontier WHERE size = 5", true),
        ("UPDATE log.checkpoint SET root = sha256(root) WHERE size = 5", true),
        ("UPDATE log.checkpoint SET note = 'x' WHERE size = 5", true),
        ("UPDATE log.checkpoint SET note = replace(note, 'log.', 'lag.') WHERE size = 5", false),
    ])
    func `a record of a checkpoint that was changed is named`(
        script: String,
        isSeenWithoutKey: Bool
    ) async throws {
        let entries = try await fill()
        let signer = try logSigner()
        var frontier = MerkleFrontier()
        try await withLog { log, _ in
            for entry in entries {
                frontier.append(entry: entry)
                let note = try signer.sign(frontier.root).bytes
                _ = try await Checkpoints(log).add(
                    StoredCheckpoint(frontier: frontier, note: note)
                )
            }
            #expect(try await log.strayCheckpoints(signedBy: signer.verifierKey).isEmpty)
        }
        try await tamper(script)
        try await withLog { log, _ in
            #expect(try await log.strayCheckpoints(signedBy: signer.verifierKey) == [5])
            let found = try await log.strayCheckpoints(signedBy: nil)
            #expect(found == (isSeenWithoutKey ? [5] : []))
            let verification = try await log.verify()
            #expect(verification == .sound(frontier.root))
        }
    }

    @Test func `a checkpoint accuses an event only where the log's key signed it`() async throws {
        try await fill()
        let (signer, stranger) = (try logSigner(), try logSigner())
        var other = MerkleFrontier()
        for _ in 1...3 { other.append(entry: [1]) }
        try await withLog { log, _ in
            let note = try signer.sign(other.root).bytes
            _ = try await Checkpoints(log).add(StoredCheckpoint(frontier: other, note: note))
            let keys: [(VerifierKey?, Bool)] = [
                (signer.verifierKey, true), (stranger.verifierKey, false), (nil, true),
            ]
            for (key, isAccused) in keys {
                let found = try await log.verify(signedBy: key) { EntryVerifier(rootsOf: $0) }
                switch found {
                case .contradicted(_, let flaw) where isAccused:
                    #expect(flaw == LogFlawFound(Position(1), .checkpoint(size: 3)))
                case .sound where !isAccused: break
                default: Issue.record("\(found)")
                }
            }
        }
    }

    @Test func `events that changed places are named`() async throws {
        try await fill()
        try await tamper(
            """
            UPDATE log.event SET position = 100 WHERE position = 3;
            UPDATE log.event SET position = 3 WHERE position = 4;
            UPDATE log.event SET position = 4 WHERE position = 100
            """
        )
        try await withLog { log, _ in
            let verification = try await log.verify()
            #expect(
                verification
                    == .broken(
                        Position(3),
                        .revision(expected: Revision(3), found: Revision(4))
                    )
            )
            await #expect(throws: LogError.self) { try await log.events(of: .app(harbour)) }
        }
    }

    @Test func `a log cut at its end is sound, but has another root`() async throws {
        let entries = try await fill()
        try await tamper(
            "DELETE FROM log.event WHERE position > 4; DELETE FROM log.command WHERE last_position > 4"
        )
        try await withLog { log, _ in
            var frontier = MerkleFrontier()
            for entry in entries.prefix(4) { frontier.append(entry: entry) }
            let verification = try await log.verify()
            #expect(verification == .sound(frontier.root))
        }
    }

    @Test func `a fold that throws ends the replay`() async throws {
        try await fill()
        try await withLog { log, _ in
            await #expect(throws: LogError.self) {
                _ = try await log.replay(into: 0) { count, _ in
                    count += 1
                    if count == 3 { throw CancellationError() }
                }
            }
            let count = try await log.replay(into: 0) { count, _ in count += 1 }
            #expect(count == 6)
        }
    }

    @Test func `a replay stops at a hole and at what it cannot read`() async throws {
        try await fill()
        try await tamper("DELETE FROM log.event WHERE position = 5")
        try await withLog { log, _ in
            await #expect(throws: LogError.hole(at: Position(5), found: Position(6))) {
                _ = try await log.replay(into: 0) { _, _ in }
            }
        }
        try await tamper("UPDATE log.event SET entry = '{}' WHERE position = 2")
        try await withLog { log, _ in
            let needed = #"{"actor":""#
            let expected = LogError.unreadable(
                Position(2),
                .malformed(offset: 0, needed: needed)
            )
            await #expect(throws: expected) { _ = try await log.replay(into: 0) { _, _ in } }
            await #expect(throws: expected) { _ = try await log.events(after: Position(1)) }
        }
    }

    /// Six events of five commands on one stream.
    @discardableResult
    private func fill() async throws -> [[UInt8]] {
        try await withLog { log, _ in
            var build = CommandBuilder()
            let app = StreamName.app(harbour)
            var group = try (1...4).map { _ in try build.command(on: app) }
            group.append(try build.command(on: app, app))
            _ = try await log.append(group)
            return group.flatMap(\.events).map(\.entry)
        }
    }

    /// Does what only an owner of the server can.
    private func tamper(_ script: String) async throws {
        let session = try await Session.open(ScratchDatabase.current.connection)
        try await session.script(
            """
            ALTER TABLE log.event DISABLE TRIGGER ALL; ALTER TABLE log.command DISABLE TRIGGER ALL;
            ALTER TABLE log.checkpoint DISABLE TRIGGER ALL
            """
        )
        try await session.script(Statement(file: Array(script.utf8)))
        await session.close()
    }
}
