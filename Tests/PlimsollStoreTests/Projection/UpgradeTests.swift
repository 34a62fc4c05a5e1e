import PlimsollDomain
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
import Testing

/// A database as it was before the read model of the audit, save how this program appends.
private let olderTemplate = ScratchTemplate("older") { session in
    let older = StoreSchema.migrations.prefix { $0.name != "m0007_audit" }
    for migration in older + StoreSchema.migrations.filter({ $0.name == appending }) {
        try await session.script(Statement(file: migration.sql))
    }
}

private let appending = "m0010_plain_append"

@Suite(.scratchDatabase(template: olderTemplate), .timeLimit(.minutes(5)))
struct UpgradeTests {
    // Goal: read models that an older version has filled are filled again by the first start
    // after the upgrade. Method: a log, and read models that claim to hold all of it; then the
    // migration, a projector, and a rebuild as the judge.
    @Test func `what an older version folded is folded anew`() async throws {
        try await ProjectionFixture.with(following: .nothing) { fixture in
            try await fixture.letAliceIn()
            try await fixture.applyOneChange(to: "3.1.0")
            try await fixture.applyOneChange(to: "3.2.0")
        }
        let session = try await Session.open(ScratchDatabase.current.connection)
        try await session.script(olderFold)
        let newer = StoreSchema.migrations.drop { $0.name != "m0007_audit" }
        for migration in newer where migration.name != appending {
            try await session.script(Statement(file: migration.sql))
        }
        await session.close()
        try await ProjectionFixture.with { fixture in
            try await fixture.catchUp()
            var query = EventQuery()
            query.fields = [Field(.ios, .minimumApp, .value)]
            let end = fixture.writer.world.position
            let events = try await fixture.readModels.events(query, upTo: end)
            #expect(events.map(\.fields.first?.after) == [version("3.2.0"), version("3.1.0")])
            #expect(events.map(\.fields.first?.before) == [version("3.1.0"), nil])
            let report = try await Rebuild(log: fixture.log, pool: fixture.pool).run()
            #expect(report.position == end)
            #expect(report.isUnchanged)
        }
    }

    private func version(_ text: String) -> FieldValue { .version(dotted(text)) }

    /// What the older version left: rows of the live generation and of a dead one.
    private let olderFold: Statement = """
        UPDATE projection.state SET position = (SELECT max(position) FROM log.event);
        INSERT INTO projection.state (generation, position) VALUES (2, 3);
        INSERT INTO projection.event (generation, position, recorded_at, actor, type)
            SELECT 1, position, recorded_at, 'system', type FROM log.event;
        INSERT INTO projection.document (generation, position, app, platform, fields)
            VALUES (1, 1, 'harbour', 'ios', '{}'), (2, 1, 'harbour', 'ios', '{}');
        """
}
