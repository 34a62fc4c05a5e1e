import Foundation
import PlimsollDomain
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
import Testing

/// What a program left behind whose schema came of twelve migrations.
///
/// `pg_dump` wrote it, with a log of 21 events and what was folded of them; it is never changed.
private let olderTemplate = ScratchTemplate("twelve") { session in
    let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Golden/twelve-migrations.dump")
    try await session.script(Statement(file: Array(try Data(contentsOf: file))))
}

@Suite(.scratchDatabase(template: olderTemplate), .timeLimit(.minutes(5)))
struct BaselineTests {
    private static let events = 21
    /// Those that there were before; whatever came later is made on top of them.
    private static let schemas = ["log", "projection", "directory", "webhook"]
    /// What they have added there.
    private static let added = [
        "column projection.state 3 shape", "constraint projection.state_shape_check on",
        "column directory.principal 3 salt", "constraint directory.principal_salt_check on",
        "constraint log.event_recorded_at_check on", "constraint log.command_recorded_at_check on",
    ]
    /// Functions that later migrations have taken away.
    private static let removed = ["log.append_one", "log.append_plain"]

    @discardableResult
    private func withSession<Answer>(
        _ body: (Session) async throws -> Answer
    ) async throws -> Answer {
        try await Session.with(ScratchDatabase.current.connection, body)
    }

    private func schema() async throws -> [String] {
        try await withSession { session in
            try await SchemaText.read(Self.schemas, from: session).lines
        }
    }

    @Test func `a database of before becomes the same as a new one`() async throws {
        let connection = try ScratchDatabase.current.connection
        let before = try await schema()
        await #expect(throws: MigrationError.self) { try await StoreSchema.require(connection) }
        try await StoreSchema.prepare(connection)
        try await StoreSchema.require(connection)
        let adopted = try await schema()
        let kept = before.filter { line in
            !Self.removed.contains { line.hasPrefix("function CREATE OR REPLACE FUNCTION \($0)(") }
        }
        let same = adopted.filter { line in
            !line.hasPrefix("comment on") && !Self.added.contains { line.hasPrefix($0) }
        }
        #expect(same == kept)

        try await withSession { session in
            for schema in StoreSchemaTests.schemas {
                try await session.execute("DROP SCHEMA \(identifier: schema) CASCADE")
            }
            try await session.execute("DROP TABLE public.plimsoll_migration")
        }
        try await StoreSchema.prepare(connection)
        #expect(try await schema() == adopted)
    }

    @Test func `its log is read and goes on, and its read models are those of a rebuild`()
        async throws
    {
        try await StoreSchema.prepare(ScratchDatabase.current.connection)
        try await ProjectionFixture.with { fixture in
            #expect(fixture.writer.logState.position == Position(Self.events))
            let report = try await Rebuild(log: fixture.log, pool: fixture.pool).run()
            #expect(report.isUnchanged)
            try await fixture.letAliceIn()
            try await fixture.catchUp()
            #expect(fixture.writer.logState.position > Position(Self.events))
        }
    }

    @Test func `one that was not brought up to date before is refused by name`() async throws {
        try await withSession { session in
            try await session.execute("DELETE FROM public.plimsoll_migration WHERE version > 9")
        }
        let before = try await schema()
        let error = await #expect(throws: MigrationError.self) {
            try await StoreSchema.prepare(ScratchDatabase.current.connection)
        }
        #expect(error?.description.contains("9 of the 12 migrations") == true)
        #expect(try await schema() == before)
    }

    @Test func `services that begin at once adopt it once`() async throws {
        let connection = try ScratchDatabase.current.connection
        try await withThrowingTaskGroup { group in
            for _ in 1...4 { group.addTask { try await StoreSchema.prepare(connection) } }
            try await group.waitForAll()
        }
        let names = try await withSession { session in
            try await session.query("SELECT name FROM public.plimsoll_migration").map {
                try $0.value(at: 0, as: String.self)
            }
        }
        #expect(names.sorted() == StoreSchema.migrations.map(\.name).sorted())
    }
}
