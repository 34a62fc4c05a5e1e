import FoundationEssentials
import PlimsollPostgres
import PlimsollTestSupport
import Testing

@Suite(.scratchDatabase, .timeLimit(.minutes(5)))
struct ValueTests {
    private func open() async throws -> Session {
        try await Session.open(ScratchDatabase.current.connection)
    }

    private func expectRoundTrip<Value: PostgresValue & Equatable>(
        _ values: [Value],
        _ session: Session
    ) async throws {
        for value in values {
            let row = try #require(try await session.first("SELECT \(value)"))
            #expect(try row.value(at: 0) == value)
        }
    }

    private func expectArrayRoundTrip<Element: PostgresArrayElement & Equatable>(
        _ values: [Element],
        _ session: Session
    ) async throws {
        try await expectRoundTrip([values, []], session)
        try await expectRoundTrip([[nil] + values.map(Optional.some), [nil]], session)
        let wrapped: [Element]?? = .some(nil)
        if let none = wrapped { try await expectRoundTrip([none], session) }
    }

    @Test func `numbers come back as they went`() async throws {
        let session = try await open()
        try await expectRoundTrip([Int64.min, -1, 0, 1, .max], session)
        try await expectRoundTrip([Int32.min, -1, 0, 1, .max], session)
        try await expectRoundTrip([Int.min, -1, 0, 1, .max], session)
        try await expectRoundTrip([0, -0.5, .infinity, .leastNonzeroMagnitude], session)
        try await expectRoundTrip([true, false], session)
        try await expectArrayRoundTrip([Int64.min, 0, .max], session)
        try await expectArrayRoundTrip([Int32.min, 0, .max], session)
        try await expectArrayRoundTrip([1, 2, 3], session)
        try await expectArrayRoundTrip([true, false], session)
        await session.close()
    }

    @Test func `texts and bytes come back as they went`() async throws {
        let session = try await open()
        let texts = [
            "", "sea", "Grüße 🌊 e\u{301}", "'\"\\$1", String(repeating: "x", count: 100_000),
        ]
        for text in texts {
            let row = try #require(try await session.first("SELECT \(text)"))
            // Not `==`: Swift takes composed and decomposed letters for the same.
            #expect(try Array(row.value(at: 0, as: String.self).utf8) == Array(text.utf8))
        }
        try await expectArrayRoundTrip(texts, session)
        let bytes: [[UInt8]] = [[], [0], [0, 255, 92, 39], [UInt8](repeating: 7, count: 100_000)]
        try await expectRoundTrip(bytes, session)
        try await expectArrayRoundTrip(bytes, session)
        await session.close()
    }

    @Test func `identifiers and times come back as they went`() async throws {
        let session = try await open()
        let uuids = [UUID(), UUID()]
        try await expectRoundTrip(uuids, session)
        try await expectArrayRoundTrip(uuids, session)
        let times = [0, 1, -1, 1_596_495_575_123_456, -62_000_000_000_000_000]
            .map { Timestamp(microsecondsSince1970: $0) }
        try await expectRoundTrip(times, session)
        try await expectArrayRoundTrip(times, session)
        await session.close()
    }

    @Test func `PostgreSQL means the same by them`() async throws {
        let session = try await open()
        let uuid = try #require(UUID(uuidString: "01890A5D-AC96-774B-BCCE-B302099A8057"))
        let time = Timestamp(microsecondsSince1970: 1_596_495_575_123_456)
        let row = try await session.first(
            """
            SELECT \(uuid)::text, \(time)::text, \([UInt8](arrayLiteral: 1, 255))::text,
                \(["x", "y"])::text, \([Int64]([1, 2]))::text
            """
        )
        let found = try #require(row)
            .decode((String, String, String, String, String).self)
        #expect(found.0 == "01890a5d-ac96-774b-bcce-b302099a8057")
        #expect(found.1 == "2020-08-03 22:59:35.123456+00")
        #expect(found.2 == "\\x01ff")
        #expect(found.3 == "{x,y}")
        #expect(found.4 == "{1,2}")
        await session.close()
    }

    @Test func `smaller integers widen, larger ones do not fit`() async throws {
        let session = try await open()
        let row = try #require(
            try await session.first("SELECT 1::smallint, 2::int, 3::bigint")
        )
        #expect(try row.value(at: 0, as: Int64.self) == 1)
        #expect(try row.value(at: 1, as: Int.self) == 2)
        #expect(try row.value(at: 0, as: Int32.self) == 1)
        let error = #expect(throws: PostgresError.self) { try row.value(at: 2, as: Int32.self) }
        #expect(error?.kind == .decoding)
        await session.close()
    }

    @Test func `NULL where a value was wanted names the column`() async throws {
        let session = try await open()
        let row = try #require(try await session.first("SELECT NULL::bigint AS amount"))
        let error = #expect(throws: PostgresError.self) { try row.value(at: 0, as: Int64.self) }
        #expect(error?.kind == .decoding)
        #expect(error?.note == "column amount cannot be read as Int64: it is NULL")
        #expect(try row.value(at: 0, as: Int64?.self) == nil)
        let array = try #require(try await session.first("SELECT ARRAY[1, NULL]::bigint[] AS list"))
        #expect(throws: PostgresError.self) { try array.value(at: 0, as: [Int64].self) }
        #expect(try array.value(at: 0, as: [Int64?].self) == [1, nil])
        await session.close()
    }

    @Test func `infinite times are refused, huge ones too`() async throws {
        let session = try await open()
        for text in ["infinity", "-infinity"] {
            let row = try #require(try await session.first("SELECT \(text)::timestamptz AS at"))
            let error = #expect(throws: PostgresError.self) {
                try row.value(at: 0, as: Timestamp.self)
            }
            #expect(error?.note == "column at cannot be read as Timestamp: it is infinite")
        }
        let late = try #require(
            try await session.first("SELECT '294276-12-31'::timestamptz AS at")
        )
        #expect(throws: PostgresError.self) { try late.value(at: 0, as: Timestamp.self) }
        let early = Timestamp(microsecondsSince1970: .min)
        let error = await #expect(throws: PostgresError.self) {
            try await session.query("SELECT \(early)::text")
        }
        #expect(error?.kind == .server)
        await session.close()
    }

    @Test func `wrong types, places and numbers of columns are refused`() async throws {
        let session = try await open()
        let row = try #require(
            try await session.first("SELECT 'x'::text AS word, 1.5::numeric AS n")
        )
        for wrong in [
            { try _ = row.value(at: 0, as: Int64.self) },
            { try _ = row.value(at: 0, as: [UInt8].self) },
            { try _ = row.value(at: 1, as: Int64.self) },
            { try _ = row.value(at: 2, as: String.self) },
            { try _ = row.value(at: -1, as: String.self) },
            { try _ = row.decode((String).self) },
            { try _ = row.decode((String, String, String).self) },
        ] as [() throws -> Void] {
            let error = #expect(throws: PostgresError.self) { try wrong() }
            #expect(error?.kind == .decoding)
        }
        await session.close()
    }

    @Test func `an array of arrays is refused`() async throws {
        let session = try await open()
        let row = try #require(try await session.first("SELECT ARRAY[[1, 2], [3, 4]]::bigint[]"))
        #expect(throws: PostgresError.self) { try row.value(at: 0, as: [Int64].self) }
        await session.close()
    }

    @Test func `a text with a NUL is the server's to refuse`() async throws {
        let session = try await open()
        let error = await #expect(throws: PostgresError.self) {
            try await session.query("SELECT \("a\0b")")
        }
        #expect(error?.sqlState == "22021")
        await session.close()
    }

    @Test func `64 MiB go out and come back`() async throws {
        let session = try await open()
        let bytes = [UInt8](repeating: 5, count: 64 << 20)
        let row = try #require(try await session.first("SELECT \(bytes)", timeout: .seconds(240)))
        #expect(try row.value(at: 0, as: [UInt8].self) == bytes)
        await session.close()
    }

    @Test func `grouped rows travel as arrays`() async throws {
        let session = try await open()
        let count = 10_000
        let numbers = (0..<count).map(Int64.init)
        let row = try #require(
            try await session.first(
                """
                SELECT count(*), sum(octet_length(entry)) FROM
                unnest(\(numbers), \(numbers.map { _ in UUID() }), \(numbers.map { "s\($0)" }),
                    \(numbers.map { [UInt8](repeating: 1, count: Int($0 % 7)) }))
                AS given (n, id, stream, entry)
                """
            )
        )
        let (rows, octets) = try row.decode((Int64, Int64).self)
        #expect(rows == Int64(count))
        #expect(octets == numbers.reduce(0) { $0 + $1 % 7 })
        await session.close()
    }
}
