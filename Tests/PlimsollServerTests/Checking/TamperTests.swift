import FoundationEssentials
import PlimsollDomain
import PlimsollPublishing
import PlimsollSystem
import PlimsollLog
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
import Testing

@testable import PlimsollServer

/// What a superuser can do to the log of a service, and that it is named.
@Suite(.scratchDatabase(template: serverTemplate), .timeLimit(.minutes(5)))
struct TamperTests {
    /// What was done, and the first event that does not fit after it.
    struct Tampering: Sendable, CustomTestStringConvertible {
        let name: String
        let script: String
        let position: Int
        let words: String

        var testDescription: String { name }
    }

    @Test func `a log that nobody touched is sound`() async throws {
        try await SignedLog.with { log in
            for finding in [
                try await log.finding(), try await log.finding(withPublished: false),
            ] {
                guard case .sound(SignedLog.count, _, _) = finding else {
                    Issue.record("an untouched log is called broken: \(finding)")
                    return
                }
            }
        }
    }

    @Test(arguments: [
        Tampering(
            name: "one byte that nothing repeats",
            script: """
                UPDATE log.event SET entry = convert_to(
                    replace(convert_from(entry, 'UTF8'), 'It loses data.', 'It loses date.'), 'UTF8'
                ) WHERE position IN (11, 12)
                """,
            position: 11,
            words: "forked here"
        ),
        Tampering(
            name: "one byte of what was approved",
            script: """
                UPDATE log.event SET entry = convert_to(
                    replace(convert_from(entry, 'UTF8'), '3.2.0', '3.9.0'), 'UTF8'
                ) WHERE position = 12
                """,
            position: 12,
            words: "forked here"
        ),
        Tampering(
            name: "an event at the end is deleted",
            script: """
                DELETE FROM log.command WHERE first_position = 20;
                DELETE FROM log.event WHERE position >= 20
                """,
            position: 20,
            words: "the log ends at 19"
        ),
        Tampering(
            name: "an event at the end is deleted, and what was recorded of it",
            script: """
                DELETE FROM log.command WHERE first_position = 20;
                DELETE FROM log.event WHERE position >= 20;
                DELETE FROM log.checkpoint
                """,
            position: 20,
            words: "the log ends at 19"
        ),
        Tampering(
            name: "an event in the middle is deleted",
            script: "DELETE FROM log.event WHERE position = 9",
            position: 9,
            words: "missing"
        ),
        Tampering(
            name: "two events of one stream are swapped",
            script: """
                UPDATE log.event SET position = 100 WHERE position = 6;
                UPDATE log.event SET position = 6 WHERE position = 7;
                UPDATE log.event SET position = 7 WHERE position = 100
                """,
            position: 6,
            words: "revision"
        ),
        Tampering(
            name: "two events of different streams are swapped",
            script: """
                UPDATE log.event SET position = 100 WHERE position = 2;
                UPDATE log.event SET position = 2 WHERE position = 3;
                UPDATE log.event SET position = 3 WHERE position = 100
                """,
            position: 2,
            words: "another event"
        ),
        Tampering(
            name: "a revision is renumbered, in the entry and beside it",
            script: """
                UPDATE log.event SET revision = 90, entry = convert_to(
                    replace(convert_from(entry, 'UTF8'), '"revision":6', '"revision":90'), 'UTF8'
                ) WHERE position = 10
                """,
            position: 10,
            words: "revision 90"
        ),
    ])
    func `tampering is named`(_ tampering: Tampering) async throws {
        try await SignedLog.with { log in
            try await log.tamper(tampering.script)
            let finding = try await log.finding()
            guard case .broken(let position, let sentence) = finding else {
                Issue.record("it is called sound: \(finding)")
                return
            }
            #expect(position == Position(tampering.position))
            #expect(sentence.contains(tampering.words), "\(sentence)")
        }
    }

    // Goal: what was approved cannot be changed even where nothing is published of it: then what
    // was decided about it contradicts it.
    @Test func `a byte of what was approved is named by the approval`() async throws {
        try await SignedLog.with { log in
            try await log.tamper(
                """
                UPDATE log.event SET entry = convert_to(
                    replace(convert_from(entry, 'UTF8'), '3.2.0', '3.9.0'), 'UTF8'
                ) WHERE position = 12
                """
            )
            let finding = try await log.finding(withPublished: false)
            guard case .broken(Position(13), let sentence) = finding else {
                Issue.record("it is not named: \(finding)")
                return
            }
            #expect(sentence.contains("not permitted"))
        }
    }

    // Goal: an event that was slipped in is named although everything in the database fits it.
    // Method: events behind it move up, and it and its command are written as the service would.
    @Test func `an inserted event is named`() async throws {
        try await SignedLog.with { log in
            let session = try await Session.open(log.connection)
            let before = try #require(try await EventLog(session).event(at: Position(10)))
            await session.close()
            let forged = try forgery(
                revision: 1,
                of: .export(harbour),
                as: .system,
                at: before.recordedAt
            )
            try await log.tamper(
                """
                UPDATE log.command SET first_position = first_position + 1,
                    last_position = last_position + 1 WHERE first_position > 10;
                UPDATE log.event SET position = position + 1000 WHERE position > 10;
                UPDATE log.event SET position = position - 999 WHERE position > 1000;
                DELETE FROM log.checkpoint
                """
            )
            try await insert(forged, at: 11, into: log)
            let finding = try await log.finding()
            guard case .broken(Position(11), let sentence) = finding else {
                Issue.record("it is not named: \(finding)")
                return
            }
            #expect(sentence.contains("forked here"))
        }
    }

    @Test func `a role that nobody might give is named, though it came after every checkpoint`()
        async throws
    {
        try await SignedLog.with { log in
            let thief = PrincipalID(UUID())
            let forged = try forgery(revision: 10, of: .access, as: thief)
            try await insert(forged, at: SignedLog.count + 1, into: log)
            let finding = try await log.finding()
            guard case .broken(Position(SignedLog.count + 1), let sentence) = finding else {
                Issue.record("it is not named: \(finding)")
                return
            }
            #expect(sentence.contains("token was not the actor's"))
        }
    }

    // Goal: whoever owns the database can write another history that fits in itself, and is found
    // out by what was published.
    @Test func `a history that was rewritten from its beginning is found as a fork`()
        async throws
    {
        try await SignedLog.with { log in
            try await log.tamper("TRUNCATE log.event, log.command, log.checkpoint")
            try await log.fill("9.9.9")
            guard case .sound(SignedLog.count, _, _) = try await log.finding(withPublished: false)
            else {
                Issue.record("the new history does not fit in itself")
                return
            }
            let finding = try await log.finding()
            guard case .broken(Position(1), let sentence) = finding else {
                Issue.record("the fork is not found: \(finding)")
                return
            }
            #expect(sentence.contains("forked"))
        }
    }

    @Test func `a checkpoint that was kept elsewhere finds a fork without any tile`()
        async throws
    {
        try await SignedLog.with { log in
            let kept = try log.folder.logCheckpoint.read(sizeMaximum: 4096)
            let key = String(
                decoding: try log.folder.logKey.read(sizeMaximum: 4096).dropLast(),
                as: UTF8.self
            )
            let outside = try OutsideCheckpoint(
                parsing: kept,
                from: "safe",
                trusting: VerifierKey(parsing: key),
                published: nil
            )
            let check = LogCheck(log.database, data: nil, outside: [outside])
            guard case .sound = try await check.run() else {
                Issue.record("the log does not hold what was signed over it")
                return
            }
            try await log.tamper("TRUNCATE log.event, log.command, log.checkpoint")
            try await log.fill("9.9.9")
            #expect(
                try await check.run()
                    == .broken(
                        Position(1),
                        "The log forked: here or up to event \(SignedLog.count) it is not what was"
                            + " signed (safe)."
                    )
            )
        }
    }

    @Test func `a checkpoint that the log has not signed accuses nobody`() async throws {
        try await SignedLog.with { log in
            let kept = try log.folder.logCheckpoint.read(sizeMaximum: 4096)
            let other = SignerKey(name: try #require(KeyName("other.example.com")), kind: .note)
            #expect(throws: LogCheckFailure.self) {
                _ = try OutsideCheckpoint(
                    parsing: kept,
                    from: "safe",
                    trusting: other.verifierKey,
                    published: nil
                )
            }
        }
    }

    @Test(arguments: ["changed", "gone"])
    func `a published tile that is damaged is named`(
        _ damage: String
    )
        async throws
    {
        try await SignedLog.with { log in
            let published = PublishedLogCheck(data: log.data.string)
            #expect(await published.run() == .whole(Position(SignedLog.count)))
            let address = try #require(
                TileAddress(.hashes(level: 0), index: 0, width: SignedLog.count)
            )
            let tile = log.folder.tile(address)
            var bytes = try tile.read(sizeMaximum: 1 << 20)
            try tile.removeTree()
            bytes[40] ^= 1
            if damage == "changed" { try tile.writeDurably(bytes) }
            guard case .broken(Position(1), let sentence) = try await log.finding() else {
                Issue.record("it is not named")
                return
            }
            #expect(sentence.contains("The log itself is whole"), "\(sentence)")
            guard case .damaged = await published.run() else {
                Issue.record("the doctor does not see it")
                return
            }
        }
    }

    // Goal: whoever owns the database has the published log set aside by hand; what was signed counts
    // until somebody with the log's key gives it up.
    @Test func `a log that was set aside counts until it was given up`() async throws {
        try await SignedLog.with { log in
            let signed = try #require(try TileStore(log.folder).checkpoint()).checkpoint.root
            let aside = log.folder.root / "log-\(signed.size)-12345678"
            try log.folder.log.rename(to: aside)
            try await log.tamper("TRUNCATE log.event, log.command, log.checkpoint")
            try await log.fill("9.9.9")
            guard case .broken(Position(1), let sentence) = try await log.finding() else {
                Issue.record("it is not held against what was set aside")
                return
            }
            #expect(sentence.contains("forked"))
            let file = LogKeyFile(log.data / "keys" / "log", origin: nil)
            let note = try #require(try file.signer()).giveUp(signed, keeping: SignedLog.count)
            try CheckpointOverrides(log.folder).add(note, of: signed)
            guard case .sound = try await log.finding() else {
                Issue.record("it was given up")
                return
            }
        }
    }

    // Goal: whoever owns the export too signs another history with a key of their own; the key that
    // somebody trusts finds them out.
    @Test func `what is published is held to the key that is trusted`() async throws {
        try await SignedLog.with { log in
            let own = try #require(try TileStore(log.folder).key())
            let other = SignerKey(name: own.name, kind: .note).verifierKey
            for (key, isTrusted) in [(own, true), (other, false)] {
                let check = LogCheck(log.database, data: log.data.string, key: key)
                guard isTrusted else {
                    await #expect(throws: LogCheckFailure.self) { try await check.run() }
                    continue
                }
                guard case .sound = try await check.run() else {
                    Issue.record("the log does not hold what was signed over it")
                    return
                }
            }
        }
    }

    private func forgery(
        revision: Int,
        of stream: StreamName,
        as actor: PrincipalID,
        at recordedAt: Instant = .now
    ) throws -> RecordedEvent {
        let event: Event =
            stream == .access
            ? .access(.roleGranted(actor, RoleGrant(.admin, in: .all)))
            : .export(
                .publicationFailed(sequence: SnapshotSequence(orderedBy: Position(4)), cause: "x")
            )
        return RecordedEvent(
            position: Position(1),
            id: UUID(version7: recordedAt),
            stream: stream,
            revision: Revision(revision),
            recordedAt: recordedAt,
            command: CommandID(UUID()),
            origin: Origin(
                actor: actor,
                authentication: actor == .system ? .service : .token(TokenID(UUID())),
                correlation: UUID()
            ),
            event: event
        )
    }

    private func insert(_ event: RecordedEvent, at position: Int, into log: SignedLog) async throws
    {
        let entry = try EventCodec.encode(event)
        let hex = entry.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let time = event.recordedAt.rfc3339
        try await log.tamper(
            """
            INSERT INTO log.event (
                position, revision, recorded_at, event_id, command_id, shape, stream, type, entry
            ) VALUES (
                \(position), \(event.revision), '\(time)', '\(event.id.uuidString)',
                '\(event.command)', 1, '\(event.stream)', '\(event.event.type.rawValue)', '\\x\(hex)'
            );
            INSERT INTO log.command (
                first_position, last_position, recorded_at, command_id, request_digest, outcome
            ) VALUES (\(position), \(position), '\(time)', '\(event.command)', '', '')
            """
        )
    }
}
