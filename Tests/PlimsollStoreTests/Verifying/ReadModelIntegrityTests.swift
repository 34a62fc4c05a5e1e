import PlimsollDomain
import PlimsollPostgres
import PlimsollTestSupport
import Testing

@testable import PlimsollStore

/// Somebody who writes in the read models while the service runs.
@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct ReadModelIntegrityTests {
    @Test(arguments: Tampering.all, [false, true])
    func `rows that were altered are named, and written again`(
        _ tampering: Tampering,
        isKnown: Bool
    ) async throws {
        try await IntegrityFixture.with { fixture in
            let sound = try await fixture.digest()
            var check = fixture.check()
            // Whether it has seen the rows before or not.
            if isKnown { try await check.round() }
            try await fixture.alter(tampering.sql)
            #expect(try await fixture.digest() != sound)
            try await check.round()
            #expect(try await fixture.digest() == sound)
            #expect(fixture.lines.text.contains("read models were altered"))
            #expect(fixture.lines.text.contains("table=\(tampering.table)"))
            #expect(fixture.progress.view.mended > 0)
            #expect(fixture.base.writer.prohibition == nil)
            // Once is enough.
            let told = fixture.lines.all.count
            try await check.round()
            #expect(fixture.lines.all.count == told)
            // Whoever folds goes on with them.
            try await fixture.base.applyOneChange(to: "3.9.0")
            try await fixture.base.catchUp()
            let report = try await Rebuild(log: fixture.base.log, pool: fixture.base.pool).run()
            #expect(report.isUnchanged)
        }
    }

    // So a first round needs not fetch all rows to see that they are right.
    @Test func `the hash of rows that are right is that of what the database answers`() async throws
    {
        try await IntegrityFixture.with { fixture in
            let (log, end) = (fixture.base.log, fixture.base.writer.logState.position)
            var round = try await log.walk(LogRound(nil), to: end)
            try round.closeAppend()
            let live = try #require(try await LiveGeneration.current(fixture.base.pool))
            var models = ReadModelRound()
            models.note(live)
            let rows = models.take(round.takeContent().rows, isLast: true)
            let check = ReadModelCheck(live.generation, rows)
            let stretch = Statement.stretch(behind: .start, upTo: end)
            let (there, entries) = try await fixture.base.pool.withSession { session in
                (try await session.digest(check.statements), try await session.digest([stretch]))
            }
            #expect(there == check.digest)
            #expect(entries == round.stretchDigest)
        }
    }

    // Where it has come to decides what is folded next: rows that are there already, or none.
    @Test(arguments: [5, 1_000_000] as [Int64])
    func `a place that is not true is put right, and folded from`(_ place: Int64) async throws {
        try await IntegrityFixture.with { fixture in
            let sound = try await fixture.digest()
            let session = try await openServiceSession()
            try await session.execute("UPDATE projection.state SET position = \(place)")
            await session.close()
            try await fixture.base.applyOneChange(to: "3.9.0")
            var check = fixture.check()
            try await check.round()
            #expect(fixture.base.writer.prohibition == nil)
            try await fixture.base.catchUp()
            #expect(try await fixture.digest() != sound)
            try await check.round()
            let report = try await Rebuild(log: fixture.base.log, pool: fixture.base.pool).run()
            #expect(report.isUnchanged)
        }
    }

    @Test func `what nobody altered is never taken for damage, whoever writes and rebuilds`()
        async throws
    {
        try await IntegrityFixture.with { fixture in
            try await withThrowingDiscardingTaskGroup { group in
                let rounds = (1...2).map { _ in fixture.check() }
                for check in rounds {
                    group.addTask {
                        var check = check
                        for _ in 1...30 { try await check.round() }
                    }
                }
                group.addTask {
                    for minor in 4...30 {
                        try await fixture.base.applyOneChange(to: "3.\(minor).0")
                    }
                }
                group.addTask {
                    for _ in 1...3 {
                        let (log, pool) = (fixture.base.log, fixture.base.pool)
                        let report = try await Rebuild(log: log, pool: pool).run()
                        #expect(report.isUnchanged)
                    }
                }
            }
            var check = fixture.check()
            try await check.round()
            #expect(fixture.lines.text.isEmpty)
            #expect(fixture.progress.view.mended == 0)
            #expect(fixture.progress.view.lastRound != nil)
            #expect(fixture.base.writer.prohibition == nil)
        }
    }

    // Method: both have read the altered row before either of them writes.
    @Test func `of two that find a row one writes it, and neither writes against the other`()
        async throws
    {
        try await IntegrityFixture.with { fixture in
            let sound = try await fixture.digest()
            for _ in 1...5 {
                try await fixture.alter("UPDATE projection.change SET title = 'Another'")
                try await withThrowingDiscardingTaskGroup { group in
                    for check in (1...3).map({ _ in fixture.check(stride: 1000) }) {
                        group.addTask {
                            var check = check
                            try await check.round()
                        }
                    }
                }
                #expect(try await fixture.digest() == sound)
            }
            // Three changes, each named once each time.
            #expect(fixture.progress.view.mended == 15)
        }
    }

    @Test func `a generation of a newer program is left alone, and shown`() async throws {
        try await IntegrityFixture.with { fixture in
            try await fixture.alter(
                """
                WITH made AS (UPDATE projection.state SET shape = 99)
                UPDATE projection.change SET title = 'As newer programs write it'
                """
            )
            let theirs = try await fixture.digest()
            var check = fixture.check()
            try await check.round()
            #expect(try await fixture.digest() == theirs)
            #expect(fixture.progress.view.isForeign)
            #expect(fixture.progress.view.mended == 0)
            #expect(fixture.progress.view.lastRound != nil)
        }
    }

    @Test func `a generation of an older program is brought to this one's, without an alarm`()
        async throws
    {
        try await IntegrityFixture.with { fixture in
            let sound = try await fixture.digest()
            try await fixture.alter(
                """
                WITH made AS (UPDATE projection.state SET shape = 0)
                UPDATE projection.change SET title = 'As older programs wrote it'
                """
            )
            var check = fixture.check()
            try await check.round()
            #expect(try await fixture.digest() == sound)
            #expect(fixture.progress.view.mended == 0)
            #expect(fixture.lines.text.contains("older program"))
            try await fixture.alter("UPDATE projection.change SET title = 'Altered'")
            try await check.round()
            #expect(fixture.progress.view.mended == 3)
        }
    }
}

/// What somebody does to the read models.
struct Tampering: Sendable, CustomTestStringConvertible {
    let table: String
    let sql: StaticString

    var testDescription: String { "\(sql)" }

    static let all: [Tampering] =
        event.map { Tampering(table: "projection.event", sql: $0) }
        + field.map { Tampering(table: "projection.event_field", sql: $0) }
        + change.map { Tampering(table: "projection.change", sql: $0) }
        + snapshot.map { Tampering(table: "projection.snapshot", sql: $0) }

    private static let event: [StaticString] = [
        "UPDATE projection.event SET actor = 'system' WHERE actor <> 'system'",
        "UPDATE projection.event SET app = NULL WHERE position = 5",
        "UPDATE projection.event SET reason = '' WHERE position = 1",
        "UPDATE projection.event SET recorded_at = recorded_at + interval '1 us' WHERE position = 2",
        "UPDATE projection.event SET change = 7 WHERE position = 1",
        "UPDATE projection.event SET position = -4 WHERE position = 1",
        "DELETE FROM projection.event WHERE position = 4",
        "DELETE FROM projection.event",
        """
        INSERT INTO projection.event SELECT generation, position + 1000, recorded_at, reached_at,
            actor, app, type, change, correlation, reason FROM projection.event WHERE position = 3
        """,
        """
        INSERT INTO projection.event SELECT generation, max(position) OVER () + position, recorded_at,
            reached_at, actor, app, type, change, correlation, reason FROM projection.event
        """,
    ]
    private static let field: [StaticString] = [
        "UPDATE projection.event_field SET after = '9.9.9' WHERE after = '3.1.0'",
        "UPDATE projection.event_field SET before = NULL WHERE before IS NOT NULL",
        "UPDATE projection.event_field SET app = 'other'",
        "DELETE FROM projection.event_field WHERE after = '3.2.0'",
        """
        INSERT INTO projection.event_field
            VALUES ((SELECT generation FROM projection.live), 1, 'harbour', 'ios.x', NULL, 'y')
        """,
        """
        INSERT INTO projection.event_field
            VALUES ((SELECT generation FROM projection.live), 0, 'harbour', 'ios.x', NULL, 'y')
        """,
        """
        INSERT INTO projection.event_field
            VALUES ((SELECT generation FROM projection.live), 999, 'harbour', 'ios.x', NULL, 'y')
        """,
    ]
    private static let change: [StaticString] = [
        "UPDATE projection.change SET author = 'somebody-else' WHERE id = 1",
        "UPDATE projection.change SET title = 'Another' WHERE id = 3",
        "UPDATE projection.change SET state = 'rejected' WHERE id = 2",
        "UPDATE projection.change SET effect = '[]' WHERE id = 3",
        "UPDATE projection.change SET position = 100000 WHERE id = 3",
        "UPDATE projection.change SET id = 17 WHERE id = 1",
        "DELETE FROM projection.change WHERE id = 2",
        "DELETE FROM projection.change WHERE id = 3",
        """
        INSERT INTO projection.change SELECT generation, base, 99, position, proposed_at, app, author,
            state, title, effect FROM projection.change WHERE id = 1
        """,
    ]
    private static let snapshot: [StaticString] = [
        "UPDATE projection.snapshot SET manifest_digest = 'b'",
        "UPDATE projection.snapshot SET position = position + 1",
        "UPDATE projection.snapshot SET keys = '{}'",
        "UPDATE projection.snapshot SET keys = '{NULL}'",
        "UPDATE projection.snapshot SET sequence = sequence + 1",
        "DELETE FROM projection.snapshot",
        """
        INSERT INTO projection.snapshot SELECT generation, position, sequence + 5, published_at, app,
            manifest_digest, keys FROM projection.snapshot
        """,
    ]
}
