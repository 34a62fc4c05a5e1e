import PlimsollPostgres
import PlimsollTestSupport
import Testing

@Suite(.scratchDatabase, .timeLimit(.minutes(5)))
struct CopyTests {
    private struct Whim: Error {}

    private func open() async throws -> Session {
        try await Session.open(ScratchDatabase.current.connection)
    }

    @Test(arguments: [0, 1, 100_000])
    func `rows go in and come out as they were`(count: Int64) async throws {
        let session = try await open()
        try await session.execute("CREATE TABLE item (n bigint, at timestamptz, word text)")
        let copied = try await session.copyIn(
            "COPY item FROM STDIN (FORMAT binary)",
            from: Int64(0)
        ) { number, writer in
            guard number < count else { return .end }
            number += 1
            writer.beginRow(columns: 3)
            writer.append(number)
            writer.append(Timestamp(microsecondsSince1970: number))
            writer.append(number % 3 == 0 ? nil : "word \(number)")
            return .more
        }
        #expect(copied == Int(count))
        let found = try await session.copyOut(
            "COPY (SELECT * FROM item ORDER BY n) TO STDOUT (FORMAT binary)",
            into: Int64(0)
        ) { last, row in
            let number = try row.int64()
            let time = try row.timestamp()
            let word = try row.next(String?.self)
            #expect(number == last + 1)
            #expect(time.microsecondsSince1970 == number)
            #expect(word == (number % 3 == 0 ? nil : "word \(number)"))
            last = number
        }
        #expect(found == count)
        await session.close()
    }

    @Test(arguments: [0, 1, 100_000])
    func `rows are read in one step and folded in the next, in their order`(
        count: Int
    ) async throws {
        let session = try await open()
        let (read, folded) = try await session.copyOut(
            "COPY (SELECT generate_series(1, \(literal: Int64(count)))) TO STDOUT (FORMAT binary)",
            reading: Int32(0),
            into: Int32(0),
            read: { last, numbers, row in
                last = try row.next(Int32.self)
                numbers.append(last)
            },
            fold: { last, numbers in
                for number in numbers {
                    #expect(number == last + 1)
                    last = number
                }
            }
        )
        #expect(read == Int32(count))
        #expect(folded == Int32(count))
        await session.close()
    }

    @Test(arguments: [true, false])
    func `whichever step throws, the statement is stopped and the session kept`(
        isReader: Bool
    ) async throws {
        let session = try await open()
        await #expect(throws: Whim.self) {
            _ = try await session.copyOut(
                "COPY (SELECT generate_series(1, 2000000000)) TO STDOUT (FORMAT binary)",
                reading: 0,
                into: 0,
                read: { count, numbers, _ in
                    count += 1
                    numbers.append(count)
                    if isReader, count == 100_000 { throw Whim() }
                },
                fold: { count, rows in
                    count += rows.count
                    if !isReader, count >= 100_000 { throw Whim() }
                }
            )
        }
        #expect(try await session.query("SELECT 1").count == 1)
        await session.close()
    }

    @Test func `a reader that throws stops the statement and keeps the session`() async throws {
        let session = try await open()
        let begin = ContinuousClock.now
        await #expect(throws: Whim.self) {
            try await session.copyOut(
                "COPY (SELECT generate_series(1, 2000000000)) TO STDOUT (FORMAT binary)",
                into: 0
            ) { count, _ in
                count += 1
                if count == 1000 { throw Whim() }
            }
        }
        #expect(.now - begin < .seconds(30))
        #expect(try await session.query("SELECT 1").count == 1)
        await session.close()
    }

    @Test func `a source that throws leaves nothing behind`() async throws {
        let session = try await open()
        try await session.execute("CREATE TABLE item (n bigint)")
        await #expect(throws: Whim.self) {
            try await session.copyIn(
                "COPY item FROM STDIN (FORMAT binary)",
                from: Int64(0)
            ) { number, writer in
                number += 1
                writer.beginRow(columns: 1)
                writer.append(number)
                if number == 20_000 { throw Whim() }
                return .more
            }
        }
        #expect(try await session.query("SELECT n FROM item").isEmpty)
        await session.close()
    }

    @Test func `an error after some rows is thrown`() async throws {
        let session = try await open()
        let error = await #expect(throws: PostgresError.self) {
            try await session.copyOut(
                "COPY (SELECT 1 / (5 - n) FROM generate_series(1, 10) n) TO STDOUT (FORMAT binary)",
                into: 0
            ) { count, _ in count += 1 }
        }
        #expect(error?.sqlState == "22012")
        #expect(try await session.query("SELECT 1").count == 1)
        await session.close()
    }

    @Test func `a row that breaks a rule refuses the whole COPY`() async throws {
        let session = try await open()
        try await session.execute("CREATE TABLE item (n bigint CONSTRAINT small CHECK (n < 5))")
        let error = await #expect(throws: PostgresError.self) {
            try await session.copyIn(
                "COPY item FROM STDIN (FORMAT binary)",
                from: Int64(0)
            ) { number, writer in
                number += 1
                writer.beginRow(columns: 1)
                writer.append(number)
                return number == 100_000 ? .end : .more
            }
        }
        #expect(error?.sqlState == "23514")
        #expect(error?.constraint == "small")
        #expect(try await session.query("SELECT n FROM item").isEmpty)
        await session.close()
    }

    @Test func `text comes out as it is`() async throws {
        let session = try await open()
        let text = try await session.copyOutRaw(
            "COPY (VALUES (1, 'one'), (2, 't,wo')) TO STDOUT (FORMAT csv)",
            into: [UInt8]()
        ) { text, chunk in
            for index in 0..<chunk.count { text.append(chunk[index]) }
        }
        #expect(String(decoding: text, as: UTF8.self) == "1,one\n2,\"t,wo\"\n")
        await session.close()
    }

    @Test func `COPY where a query belongs, and the reverse, are refused`() async throws {
        let session = try await open()
        let error = await #expect(throws: PostgresError.self) {
            try await session.copyOut("SELECT 1", into: 0) { _, _ in }
        }
        #expect(error?.kind == .misuse)
        #expect(try await session.query("SELECT 1").count == 1)
        let other = await #expect(throws: PostgresError.self) {
            try await session.query("COPY (SELECT 1) TO STDOUT")
        }
        #expect(other?.kind == .misuse)
        await session.close()
    }

    @Test func `a COPY longer than the statement time-out is not cut short`() async throws {
        var settings = SessionSettings()
        settings.statementTimeout = .seconds(1)
        let session = try await Session.open(
            ScratchDatabase.current.connection,
            settings: settings
        )
        // The server itself allows five seconds more than the client; this takes longer.
        let count = try await session.copyOut(
            "COPY (SELECT 1 FROM generate_series(1, 3), pg_sleep(7)) TO STDOUT (FORMAT binary)",
            into: 0
        ) { count, _ in count += 1 }
        #expect(count == 3)
        let limit = try await session.first("SELECT current_setting('statement_timeout')")
        #expect(try limit?.value(at: 0) == "6s")
        await session.close()
    }
}
