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

    @Test func `what may go a moment later is told from what may not`() {
        let passing: [SQLState] = [
            "08006", "0A000", "25006", "26000", "40001", "40P01", "53300", "55P03", "57014",
            "57P01", "57P03",
        ]
        let lasting: [SQLState] = [
            "22P02", "25P02", "42501", "42P01", "58030", "P0001", "XX001",
        ]
        #expect(passing.filter { !$0.isTransient } == [])
        #expect(lasting.filter(\.isTransient) == [])
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

    // Method: libpq reads all but the first, with a part of the password in another place.
    @Test(arguments: [
        "host=x password='hunter2", "postgresql://ada:hunter2@x@db/plimsoll",
        "postgresql://ada:hunter2/x@db/plimsoll", "postgres://ada:12/hunter2@db/plimsoll",
        "postgresql://ada:12/hunter2/x@db", "postgresql://ada:hunter2?x=y@z@db/plimsoll",
        "host=ada:hunter2@db", "host=db,ada:hunter2@db", "port=hunter2",
        "host=db dbname=postgresql://ada:hunter2@db/plimsoll", "hostaddr=ada:hunter2@db",
        "host=db;dbname=plimsoll;password=hunter2", "host=db,user=ada,password=hunter2",
        "postgresql://ada@db/plimsoll&password=hunter2",
        "postgresql://db/plimsoll password=hunter2",
        "postgresql://ada;password=hunter2@db/plimsoll", "postgres://ada:12/\u{301}hunter2@db/x",
        "postgres://\u{301}ada:12/hunter2@db/x",
    ])
    func `an unreadable connection string keeps its secret`(_ text: String) async throws {
        let connection = ConnectionString(text)
        #expect("\(connection)" == "unreadable connection string")
        let error = await #expect(throws: PostgresError.self) { try await Session.open(connection) }
        #expect(error?.kind == .connectFailed)
        #expect(error?.debugDescription.contains("hunter2") == false)
    }

    @Test(arguments: [
        ("postgresql://ada:hunter2@db.example:5433/plimsoll", "host=db.example port=5433"),
        (
            "postgresql://ada:hunter%402%2F@db1:5433,db2:5434/plimsoll",
            "host=db1,db2 port=5433,5434"
        ),
        ("postgresql://ada:hunter2?x=y:z@db/plimsoll", "host=db"),
        ("postgresql://ada:hunter2@[::1]:5433,[::2]/plimsoll", "host=::1,::2 port=5433,"),
        (
            "host=db1,db2 port='5432, +5433' dbname=plimsoll user=ada",
            "host=db1,db2 port=5432, +5433"
        ),
        ("host=@/run@16 dbname=plimsoll user=ada", "host=@/run@16"),
        ("postgres://db/plimsoll?user=ada&password=a@hunter2", "host=db"),
        (
            "host=@abstract,/a@b port=5433, dbname=plimsoll user=ada",
            "host=@abstract,/a@b port=5433,"
        ),
    ])
    func `a connection string is shown without its secret`(_ text: String, _ shown: String) {
        #expect("\(ConnectionString(text))" == shown + " dbname=plimsoll user=ada")
    }

    @Test func `a database may have an @ in its name`() {
        for text in ["postgresql://ada@db/plim@soll", "postgresql://ada:hunter2@db/plim%40soll"] {
            #expect("\(ConnectionString(text))" == "host=db dbname=plim@soll user=ada")
        }
    }
}
