import FoundationEssentials
import Logging
import PlimsollDomain
import PlimsollLog
import PlimsollPostgres
import PlimsollSystem
import PlimsollTestSupport
import Testing

@testable import PlimsollStore

/// Somebody who writes in the log itself while the service runs.
@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct IntegrityCheckTests {
    @Test(arguments: LogTampering.all)
    func `a log that was altered has the process read only, and says where`(
        _ tampering: LogTampering
    ) async throws {
        try await withAuthentication { folder in
            try await withAuthenticWriter(folder) { writer, log in
                for _ in 1...4 { _ = try await writer.perform(CommandRequest(failure())) }
                let check = check(writer, log)
                var first = check
                try await first.round()
                #expect(writer.prohibition == nil)
                try await tamper(tampering.sql)
                var second = tampering.needsMemory ? first : check
                try await second.round()
                let prohibition = writer.prohibition
                #expect(prohibition?.cause == tampering.cause)
                #expect(prohibition?.sentence.contains(tampering.words) == true)
                await #expect(throws: WriteError.self) {
                    try await writer.perform(CommandRequest(failure()))
                }
            }
        }
    }

    // Method: the entry of an event is altered as the service would have written it.
    @Test func `who has the secret too is found by what was signed`() async throws {
        try await withAuthentication { folder in
            try await withAuthenticWriter(folder) { writer, log in
                for _ in 1...4 { _ = try await writer.perform(CommandRequest(failure())) }
                let signer = try logSigner()
                try await record(log, signedBy: signer)
                let event = try #require(try await log.event(at: Position(5)))
                let forged = RecordedEvent(
                    position: event.position,
                    id: event.id,
                    stream: event.stream,
                    revision: event.revision,
                    recordedAt: event.recordedAt,
                    command: event.command,
                    origin: event.origin,
                    event: .export(failure("Something else.").event)
                )
                let entry = try EventCodec.encode(forged, with: try folder.first())
                let session = try await Session.open(ScratchDatabase.current.connection)
                try await session.script(
                    "ALTER TABLE log.event DISABLE TRIGGER event_refuse_change"
                )
                try await session.execute(
                    "UPDATE log.event SET entry = \(entry) WHERE position = 5"
                )
                await session.close()
                var check = check(writer, log, signedBy: signer.verifierKey)
                try await check.round()
                #expect(writer.prohibition?.cause == .logDamaged)
                #expect(writer.prohibition?.sentence.hasPrefix("Event 1: Here or up to") == true)
            }
        }
    }

    // Goal: whoever has the service's login accuses no event, and stops nobody, with a checkpoint of
    // their own; whoever looks knows the log's key or not.
    @Test(arguments: [true, false])
    func `a checkpoint that the log's key has not signed is named, and nothing ends`(
        knowsKey: Bool
    ) async throws {
        try await withWriter(clock: { .now }) { writer, log in
            for _ in 1...4 { _ = try await writer.perform(CommandRequest(failure())) }
            let (signer, lines) = (try logSigner(), LogLines())
            try await record(log, signedBy: signer)
            try await recordStrayCheckpoint(over: 3)
            var check = check(
                writer,
                log,
                signedBy: knowsKey ? signer.verifierKey : nil,
                logger: lines.logger
            )
            for _ in 1...2 { try await check.round() }
            #expect(writer.prohibition == nil)
            let said = lines.all.filter { $0.contains("the log's key has not signed") }
            #expect(said.count == (knowsKey ? 1 : 0), "\(lines.text)")
            #expect(said.allSatisfy { $0.contains("sizes=3") }, "\(lines.text)")
            _ = try await writer.perform(CommandRequest(failure()))
        }
    }

    // Nothing is authenticated or signed here: the entry is as good as any, and not what was read.
    @Test func `who has every secret is found by what was read before`() async throws {
        try await IntegrityFixture.with { fixture in
            let writer = fixture.base.writer
            let sound = try await fixture.digest()
            var check = fixture.check()
            try await check.round()
            try await tamper(
                """
                UPDATE log.event SET entry = convert_to(replace(convert_from(entry, 'UTF8'),
                    '"revision":', '"request":"forged","revision":'), 'UTF8') WHERE position = 5
                """
            )
            var other = fixture.check()
            try await other.round()
            #expect(writer.prohibition == nil)
            try await check.round()
            #expect(writer.prohibition?.cause == .logDamaged)
            let sentence = try #require(writer.prohibition).sentence
            #expect(sentence.hasPrefix("Event 4: Here or up to event 6"))
            #expect(try await fixture.digest() == sound)
        }
    }

    @Test func `a root that was published has to be met`() async throws {
        try await withWriter(clock: { .now }) { writer, log in
            for _ in 1...4 { _ = try await writer.perform(CommandRequest(failure())) }
            let right = try #require(try await Checkpoints(log).root(size: 3))
            var check = check(writer, log, published: right)
            try await check.round()
            #expect(writer.prohibition == nil)
            let wrong = MerkleRoot(size: 3, hash: .leaf([1]))
            check = self.check(writer, log, published: wrong)
            try await check.round()
            #expect(writer.prohibition?.cause == .logDamaged)
        }
    }

    // It is no forgery: nobody can tell, and the entries were believed before.
    @Test func `a secret that is gone holds the check up, and nothing else`() async throws {
        try await withAuthentication { folder in
            try await withAuthenticWriter(folder) { writer, log in
                let other = EventLog(
                    log.database,
                    authentication: EntryAuthentication(keysIn: folder)
                )
                _ = try (folder.path / "first").removeFile()
                var check = check(writer, other)
                await #expect(throws: LogError.self) { try await check.round() }
                #expect(writer.prohibition == nil)
            }
        }
    }

    private func check(
        _ writer: Writer,
        _ log: EventLog,
        published: MerkleRoot? = nil,
        signedBy logKey: VerifierKey? = nil,
        logger: Logger = .silent
    ) -> IntegrityCheck {
        guard let pool = log.database as? SessionPool else {
            preconditionFailure("these tests read through a pool")
        }
        return IntegrityCheck(
            log: log,
            pool: pool,
            memory: writer.memory,
            progress: VerifierProgress(),
            logger: logger,
            published: { published },
            logKey: { logKey },
            stride: 2
        )
    }

    /// A checkpoint over the log as it is.
    private func record(_ log: EventLog, signedBy signer: LogSigner) async throws {
        let size = Int(try await log.head().position.rawValue)
        let frontier = try await Checkpoints(log).frontier(size: size)
        let note = try signer.sign(frontier.root).bytes
        _ = try await Checkpoints(log).add(StoredCheckpoint(frontier: frontier, note: note))
    }
}

/// What somebody does to the log.
struct LogTampering: Sendable, CustomTestStringConvertible {
    let sql: StaticString
    let words: String
    var cause = Prohibition.Cause.logDamaged
    var needsMemory = false

    var testDescription: String { "\(sql)" }

    static let all = [
        LogTampering(
            sql: """
                UPDATE log.event SET entry = convert_to(replace(convert_from(entry, 'UTF8'),
                    'No space left', 'No space Left'), 'UTF8') WHERE position = 4
                """,
            words: "Event 4: The service did not write it like that"
        ),
        LogTampering(
            sql: "UPDATE log.event SET entry = 'nonsense' WHERE position = 5",
            words: "Event 5 cannot be read"
        ),
        LogTampering(sql: "DELETE FROM log.event WHERE position = 4", words: "has no event 4"),
        LogTampering(
            sql: "DELETE FROM log.event WHERE position = 7",
            words: "ends at event 6",
            cause: .logBehind
        ),
        LogTampering(
            sql: "UPDATE log.event SET stream = 'export/other', revision = 1 WHERE position = 3",
            words: "Event 3: The column stream says something else"
        ),
        LogTampering(
            sql: "UPDATE log.event SET recorded_at = now() WHERE position = 3",
            words: "Event 3: The column recorded_at"
        ),
        LogTampering(
            sql: """
                ALTER TABLE log.event DROP CONSTRAINT event_recorded_at_check;
                UPDATE log.event SET recorded_at = 'infinity' WHERE position = 3
                """,
            words: "Event 3: The column recorded_at"
        ),
        LogTampering(
            sql: """
                UPDATE log.event SET entry = (SELECT entry FROM log.event WHERE position = 5)
                WHERE position = 6
                """,
            words: "Event 6"
        ),
    ]
}
