import PlimsollPostgres
import PlimsollTestSupport
import Testing

@Suite(.scratchDatabase, .timeLimit(.minutes(5)))
struct StatementTests {
    private func open() async throws -> Session {
        try await Session.open(ScratchDatabase.current.connection)
    }

    @Test func `what is interpolated becomes a parameter`() {
        let stream = "'; DROP TABLE event; --"
        let statement: Statement = "SELECT n FROM event WHERE stream = \(stream) AND n > \(7)"
        #expect(statement.text == "SELECT n FROM event WHERE stream = $1 AND n > $2")
    }

    @Test func `names are quoted whatever they are made of`() async throws {
        let session = try await open()
        for name in ["plain", "two words", "quo\"te", "UPPER", "select", "ünï", "a;b"] {
            try await session.execute("CREATE TABLE \(identifier: name) (n bigint)")
            let row = try await session.first(
                "SELECT relname::text FROM pg_class WHERE relname = \(name)"
            )
            #expect(try row?.value(at: 0) == name)
        }
        await session.close()
    }

    @Test func `literal texts are read as written`() async throws {
        let session = try await open()
        for conforming in ["on", "off"] {
            try await session.execute("SET standard_conforming_strings = \(literal: conforming)")
            for text in ["", "plain", "quo'te", "back\\slash", "\\'", "a\nb", "ü"] {
                let row = try await session.first("SELECT\(literal: text)")
                #expect(try row?.value(at: 0) == text)
            }
        }
        let number = try await session.first("SELECT (\(literal: Int64.min))::bigint")
        #expect(try number?.value(at: 0) == Int64.min)
        await session.close()
    }

    @Test func `raw pieces are chosen at run time from the source`() async throws {
        let session = try await open()
        let order: StaticString = "DESC"
        let rows = try await session.query(
            "SELECT n FROM generate_series(1, 3) n ORDER BY n \(raw: order)"
        )
        #expect(try rows.map { try $0.value(at: 0, as: Int64.self) } == [3, 2, 1])
        await session.close()
    }

    @Test func `65535 parameters are the most`() async throws {
        let session = try await open()
        let row = try #require(try await session.first(Self.sum(of: 65_535)))
        #expect(try row.value(at: 0, as: Int.self) == 65_535)
        let error = await #expect(throws: PostgresError.self) {
            try await session.query(Self.sum(of: 65_536))
        }
        #expect(error?.kind == .misuse)
        #expect(try await session.query("SELECT 1").count == 1)
        await session.close()
    }

    private static func sum(of count: Int) -> Statement {
        var pieces = Statement.StringInterpolation(literalCapacity: 0, interpolationCount: count)
        pieces.appendLiteral("SELECT cardinality(ARRAY[")
        for index in 0..<count {
            if index > 0 { pieces.appendLiteral(",") }
            pieces.appendInterpolation(index)
        }
        pieces.appendLiteral("])")
        return Statement(stringInterpolation: pieces)
    }

    @Test func `a script runs whole or not at all`() async throws {
        let session = try await open()
        let error = await #expect(throws: PostgresError.self) {
            try await session.script(
                "CREATE TABLE one (n bigint); INSERT INTO one VALUES (1); SELECT 1 / 0"
            )
        }
        #expect(error?.sqlState == "22012")
        #expect(try await session.query("SELECT 1 FROM pg_class WHERE relname = 'one'").isEmpty)
        try await session.script("CREATE TABLE one (n bigint); INSERT INTO one VALUES (1)")
        #expect(try await session.query("SELECT n FROM one").count == 1)
        await session.close()
    }

    @Test func `a statement outlives a change of its table`() async throws {
        let session = try await open()
        try await session.execute("CREATE TABLE item (n bigint)")
        try await session.execute("INSERT INTO item VALUES (1)")
        for _ in 0..<3 { try await session.query("SELECT * FROM item") }
        try await session.execute("ALTER TABLE item ADD COLUMN word text DEFAULT 'w'")
        let row = try #require(try await session.first("SELECT * FROM item"))
        #expect(row.columns.names == ["n", "word"])
        // And again, prepared anew.
        for _ in 0..<3 {
            let row = try #require(try await session.first("SELECT * FROM item"))
            let (number, word) = try row.decode((Int64, String).self)
            #expect(number == 1 && word == "w")
        }
        await session.close()
    }

    @Test func `a statement outlives DISCARD ALL`() async throws {
        let session = try await open()
        for _ in 0..<3 { try await session.query("SELECT 1 AS one") }
        try await session.execute("DISCARD ALL")
        #expect(try await session.query("SELECT 1 AS one").count == 1)
        await session.close()
    }

    @Test func `within a transaction a changed plan is the caller's error`() async throws {
        let session = try await open()
        try await session.execute("CREATE TABLE item (n bigint)")
        for _ in 0..<3 { try await session.query("SELECT * FROM item") }
        try await session.execute("ALTER TABLE item ADD COLUMN word text")
        let error = await #expect(throws: PostgresError.self) {
            try await session.withTransaction { transaction in
                try await transaction.query("SELECT * FROM item")
            }
        }
        #expect(error?.sqlState == .cachedPlanChanged)
        #expect(try await session.query("SELECT * FROM item").isEmpty)
        await session.close()
    }

    @Test func `only so many statements stay prepared`() async throws {
        var settings = SessionSettings()
        settings.preparedStatementsMaximum = 3
        let session = try await Session.open(
            ScratchDatabase.current.connection,
            settings: settings
        )
        for number in 1...10 {
            let statement = Statement(file: Array("SELECT \(number)::bigint".utf8))
            for _ in 0..<3 {
                let row = try await session.first(statement)
                #expect(try row?.value(at: 0, as: Int.self) == number)
            }
        }
        let count = try await session.first("SELECT count(*) FROM pg_prepared_statements")
        #expect(try count?.value(at: 0, as: Int64.self) == 3)
        await session.close()
    }
}
