import PlimsollPostgres
import PlimsollTestSupport
import Testing

@Suite(.scratchDatabase, .timeLimit(.minutes(5)))
struct ErrorTests {
    private func open() async throws -> Session {
        try await Session.open(ScratchDatabase.current.connection)
    }

    @Test func `an error names what was violated and hides the values`() async throws {
        let session = try await open()
        try await session.execute("CREATE TABLE person (name text CONSTRAINT one_name UNIQUE)")
        try await session.execute("INSERT INTO person VALUES (\("Ada Secret"))")
        let error = await #expect(throws: PostgresError.self) {
            try await session.execute("INSERT INTO person VALUES (\("Ada Secret"))")
        }
        let found = try #require(error)
        #expect(found.kind == .server)
        #expect(found.sqlState == .uniqueViolation)
        #expect(found.constraint == "one_name")
        #expect(!found.description.contains("Secret"))
        #expect(found.description.contains("23505"))
        #expect(found.debugDescription.contains("Secret"))
        #expect(found.statement == "INSERT INTO person VALUES ($1)")
        await session.close()
    }

    @Test func `a session ended while idle says why when it is used`() async throws {
        let session = try await open()
        let other = try await open()
        try await other.execute("SELECT pg_terminate_backend(\(session.processID)::int, 5000)")
        let error = await #expect(throws: PostgresError.self) {
            try await session.query("SELECT 1")
        }
        #expect(error?.kind == .connectionLost)
        #expect(error?.sqlState == "57P01")
        let next = await #expect(throws: PostgresError.self) { try await session.query("SELECT 1") }
        #expect(next?.kind == .closed)
        await other.close()
    }

    @Test func `a session ended during a statement says why`() async throws {
        let session = try await open()
        let error = await #expect(throws: PostgresError.self) {
            try await session.query("SELECT pg_terminate_backend(pg_backend_pid()), pg_sleep(60)")
        }
        #expect(error?.kind == .connectionLost)
        #expect(error?.sqlState == "57P01")
    }

    // Goal: the end of one session does not disturb another, although the kernel gives the
    // number of its socket to the next who asks. Method: sessions come and are killed while
    // others work.
    @Test func `sessions that end leave others alone`() async throws {
        let steady = try await open()
        for _ in 0..<30 {
            let doomed = try await open()
            let doomedID = doomed.processID
            try await withThrowingDiscardingTaskGroup { group in
                group.addTask(name: "doomed") {
                    await #expect(throws: PostgresError.self) {
                        try await doomed.query("SELECT pg_sleep(60)")
                    }
                }
                group.addTask(name: "steady") {
                    try await steady.execute("SELECT pg_terminate_backend(\(doomedID)::int, 5000)")
                    let fresh = try await Session.open(ScratchDatabase.current.connection)
                    try await fresh.execute("SELECT pg_sleep(0.002)")
                    await fresh.close()
                }
            }
        }
        #expect(try await steady.query("SELECT 1").count == 1)
        await steady.close()
    }

    @Test func `an unreadable connection string keeps its secret`() async throws {
        let connection = ConnectionString("host=x password='hunter2")
        #expect("\(connection)" == "unreadable connection string")
        let error = await #expect(throws: PostgresError.self) { try await Session.open(connection) }
        #expect(error?.kind == .connectFailed)
        #expect(error?.debugDescription.contains("hunter2") == false)
        let readable = ConnectionString("postgresql://ada:hunter2@db.example:5433/plimsoll")
        #expect("\(readable)" == "host=db.example port=5433 dbname=plimsoll user=ada")
    }
}
