import PlimsollPostgres
import PlimsollTestSupport
import Testing

@Suite(.scratchDatabase, .timeLimit(.minutes(5)))
struct PipelineTests {
    private func open() async throws -> Session {
        let session = try await Session.open(ScratchDatabase.current.connection)
        try await session.execute("CREATE TABLE item (n bigint PRIMARY KEY)")
        return session
    }

    @Test func `answers come in the order of the statements`() async throws {
        let session = try await open()
        let numbers = Array(Int64(1)...200)
        for _ in 0..<3 {
            let answers = try await session.pipeline(numbers.map { "SELECT \($0)" })
            let found = try answers.map { try $0.get().rows[0].value(at: 0, as: Int64.self) }
            #expect(found == numbers)
        }
        await session.close()
    }

    @Test func `one failure undoes all and is told from its consequences`() async throws {
        let session = try await open()
        let answers = try await session.pipeline([
            "INSERT INTO item VALUES (1)",
            "INSERT INTO item VALUES (1)",
            "INSERT INTO item VALUES (2)",
        ])
        #expect(throws: Never.self) { try answers[0].get() }
        let cause = #expect(throws: PostgresError.self) { try answers[1].get() }
        #expect(cause?.sqlState == .uniqueViolation)
        #expect(cause?.constraint == "item_pkey")
        let consequence = #expect(throws: PostgresError.self) { try answers[2].get() }
        #expect(consequence?.kind == .aborted)
        #expect(try await session.query("SELECT n FROM item").isEmpty)
        await session.close()
    }

    @Test func `a transaction fits into one pipeline`() async throws {
        let session = try await open()
        let answers = try await session.pipeline([
            "BEGIN", "INSERT INTO item VALUES (1), (2)", "COMMIT",
        ])
        #expect(try answers[1].get().affected == 2)
        #expect(try await session.query("SELECT n FROM item").count == 2)
        await session.close()
    }

    @Test func `an empty pipeline answers nothing`() async throws {
        let session = try await open()
        #expect(try await session.pipeline([]).isEmpty)
        #expect(try await session.query("SELECT 1").count == 1)
        await session.close()
    }

    @Test func `a pipeline that takes too long is stopped and the session stays in step`()
        async throws
    {
        let session = try await open()
        let answers = try await session.pipeline(
            ["SELECT 1", "SELECT pg_sleep(60)", "SELECT 2"],
            timeout: .seconds(10)
        )
        #expect(throws: Never.self) { try answers[0].get() }
        let stopped = #expect(throws: PostgresError.self) { try answers[1].get() }
        #expect(stopped?.sqlState == .queryCanceled)
        for number in Int64(1)...100 {
            let row = try await session.first("SELECT \(number)")
            #expect(try row?.value(at: 0) == number)
        }
        await session.close()
    }

    @Test func `more than the kernel's buffers hold goes through both ways`() async throws {
        let session = try await open()
        let text = String(repeating: "x", count: 1 << 18)
        let statements = [Statement](repeating: "SELECT \(text), \(text)", count: 20)
        let answers = try await session.pipeline(statements, timeout: .seconds(240))
        for answer in answers {
            let (first, second) = try answer.get().rows[0].decode((String, String).self)
            #expect(first == text && second == text)
        }
        await session.close()
    }
}
