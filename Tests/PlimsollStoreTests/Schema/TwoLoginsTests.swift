import PlimsollDomain
import PlimsollPostgres
import PlimsollTestSupport
import Testing

@testable import PlimsollStore

/// One login that migrates and is gone, and one that can only append and read.
@Suite(.timeLimit(.minutes(5)))
struct TwoLoginsTests {
    /// A server with a database of `keeper`, who may create roles, and with `worker`, who may nothing.
    private func withLogins(
        _ body: (_ worker: ConnectionString, _ keeper: ConnectionString, Session) async throws ->
            Void
    ) async throws {
        try await ScratchDatabaseServer.with { server in
            let administrator = try await server.open()
            try await administrator.execute("CREATE ROLE keeper LOGIN CREATEROLE")
            try await administrator.execute("CREATE ROLE worker LOGIN")
            try await administrator.execute("CREATE DATABASE plimsoll OWNER keeper")
            let database = server.connection.replacing(database: "plimsoll")
            try await body(
                database.replacing(["user": "worker"]),
                database.replacing(["user": "keeper"]),
                administrator
            )
            await administrator.close()
        }
    }

    private func session(_ connection: ConnectionString) async throws -> Session {
        try await Session.open(connection, settings: .service)
    }

    @Test func `the service's login appends and reads, and is refused all else`() async throws {
        try await withLogins { worker, keeper, _ in
            try await StoreSchema.prepare(worker, migratingWith: keeper)
            #expect(try await LoginPower.read(worker) == [])
            var builder = CommandBuilder()
            for session in [try await session(worker), try await Session.open(worker)] {
                let log = EventLog(session)
                let before = try await log.head().position
                let after = before.advanced(by: 1)
                _ = try await log.append([try builder.command(on: .access)])
                #expect(try await log.head().position == after)
                await ForbiddenStatements.expectRefused(in: session)
                #expect(try await log.head().position == after)
                await session.close()
            }
        }
    }

    @Test func `where the schema is as it should be no other login is needed`() async throws {
        try await withLogins { worker, keeper, administrator in
            try await StoreSchema.prepare(worker, migratingWith: keeper)
            try await administrator.execute("ALTER ROLE keeper NOLOGIN")
            try await StoreSchema.prepare(worker, migratingWith: keeper)
            try await StoreSchema.prepare(worker)
            try await StoreSchema.require(worker)
        }
    }

    @Test func `the login that migrates has ended its sessions when that is done`() async throws {
        try await withLogins { worker, keeper, administrator in
            try await StoreSchema.prepare(worker, migratingWith: keeper)
            var count = Int64.max
            while count > 0 {
                let row = try await administrator.first(
                    "SELECT count(*) FROM pg_stat_activity WHERE usename = 'keeper'"
                )
                count = try #require(row).value(at: 0)
            }
        }
    }

    @Test func `a login of few rights is told what it needs where the schema is missing`()
        async throws
    {
        try await withLogins { worker, _, _ in
            let error = await #expect(throws: MigrationError.self) {
                try await StoreSchema.prepare(worker)
            }
            #expect(error?.description.contains("PLIMSOLL_MIGRATION_URL") == true)
        }
    }

    // Method: the database says that it has every migration, and the server has none of the roles.
    @Test(arguments: [1, 2])
    func `a dump on a server without its roles is told what it lacks`(logins: Int) async throws {
        try await withLogins { worker, keeper, _ in
            try await Session.with(keeper) { session in
                try await session.migrate([])
                for (index, migration) in StoreSchema.migrations.enumerated() {
                    try await session.execute(
                        """
                        INSERT INTO public.plimsoll_migration (version, name, sha256)
                        VALUES (\(index + 1), \(migration.name), sha256(\(migration.sql)))
                        """
                    )
                }
            }
            let error = await #expect(throws: MigrationError.self) {
                if logins == 2 {
                    try await StoreSchema.prepare(worker, migratingWith: keeper)
                } else {
                    try await StoreSchema.prepare(keeper)
                }
            }
            #expect(error?.description.contains("which no dump of a database has") == true)
            #expect(error?.description.contains("again into a new database") == true)
        }
    }

    // A server before 16 refuses every one of these statements: the other tests here show that it is
    // sent none.
    @Test func `from PostgreSQL 16 on a login takes the roles that it makes`() {
        func statements(_ version: Int, isSuperuser: Bool = false) -> [String] {
            StoreSchema.takingOwnRoles(serverVersion: version, isSuperuser: isSuperuser)
                .map(\.text)
        }
        #expect(statements(150_018) == [])
        #expect(statements(160_000, isSuperuser: true) == [])
        for version in [160_000, 180_006] {
            let sent = statements(version)
            #expect(sent.first == "SET createrole_self_grant = 'set, inherit'")
            #expect(sent.count == 2)
            #expect(
                sent.last?.contains("GRANT %I TO CURRENT_USER WITH INHERIT TRUE, SET TRUE") == true
            )
        }
    }

    @Test func `an account that is not there is named`() async throws {
        try await withLogins { worker, keeper, _ in
            let error = await #expect(throws: MigrationError.self) {
                try await StoreSchema.prepare(
                    worker.replacing(["user": "nobody else"]),
                    migratingWith: keeper
                )
            }
            #expect(error?.description.contains("nobody else") == true)
        }
    }

    @Test func `a database that one login owned goes on with two, in both orders`() async throws {
        try await withLogins { worker, keeper, _ in
            try await StoreSchema.prepare(keeper)
            try await StoreSchema.prepare(worker, migratingWith: keeper)
            #expect(try await LoginPower.read(worker) == [])
            try await StoreSchema.prepare(keeper)
        }
    }

    // As after a move to another database, of which one address alone was told.
    @Test func `logins of two databases are told apart before either is changed`() async throws {
        try await withLogins { worker, keeper, administrator in
            try await administrator.execute("CREATE DATABASE former OWNER keeper")
            let former = keeper.replacing(database: "former")
            let refusal = TwoDatabases(working: worker, migrating: former)
            await #expect(throws: refusal) {
                try await StoreSchema.prepare(worker, migratingWith: former)
            }
            try await expectUntouched(former)
            try await StoreSchema.prepare(worker, migratingWith: keeper)
        }
    }

    // As where both servers begin, and the one that the service works with comes later.
    @Test(arguments: [["host": "/nobody/is/here"], ["dbname": "mistyped"]])
    func `no database is migrated while the service's own does not answer`(
        away: [String: String]
    ) async throws {
        try await withLogins { worker, keeper, _ in
            await #expect(throws: PostgresError.self) {
                try await StoreSchema.prepare(worker.replacing(away), migratingWith: keeper)
            }
            try await expectUntouched(keeper)
        }
    }

    private func expectUntouched(_ database: ConnectionString) async throws {
        let tables = try await Session.with(database) { session in
            try await session.query("SELECT FROM pg_tables WHERE schemaname = 'public'").count
        }
        #expect(tables == 0)
    }

    // As the owner does who restores a backup into a new database of the same server.
    @Test func `whoever was let in before can use what the owner alone has made since`()
        async throws
    {
        try await withLogins { worker, keeper, administrator in
            try await StoreSchema.prepare(worker, migratingWith: keeper)
            try await administrator.execute("CREATE DATABASE restored OWNER keeper")
            try await StoreSchema.prepare(keeper.replacing(database: "restored"))
            try await StoreSchema.prepare(worker.replacing(database: "restored"))
        }
    }

    @Test func `the service's role itself may be the login`() async throws {
        try await withLogins { worker, keeper, _ in
            let service = worker.replacing(["user": StoreSchema.serviceRole])
            try await StoreSchema.prepare(service, migratingWith: keeper)
            #expect(try await LoginPower.read(service) == [])
            let session = try await Session.open(service)
            await ForbiddenStatements.expectRefused(in: session)
            await session.close()
        }
    }

    @Test func `services that begin at once let the login in once`() async throws {
        try await withLogins { worker, keeper, _ in
            try await withThrowingTaskGroup { group in
                for _ in 1...4 {
                    group.addTask { try await StoreSchema.prepare(worker, migratingWith: keeper) }
                }
                try await group.waitForAll()
            }
            try await StoreSchema.require(worker)
        }
    }

    @Test func `settings of the service's login that lose what was acknowledged are refused`()
        async throws
    {
        try await withLogins { worker, keeper, administrator in
            try await administrator.execute("ALTER ROLE worker SET synchronous_commit = off")
            await #expect(throws: UnsafeServer(settings: ["synchronous_commit"])) {
                try await StoreSchema.prepare(worker, migratingWith: keeper)
            }
        }
    }

    // Method: what goes to the server asks for something of no meaning where it asked for the role.
    @Test func `a way on which the role is lost ends a start before anything is changed`()
        async throws
    {
        try await ScratchDatabaseServer.with { server in
            try await Session.with(server.connection) { session in
                try await session.execute("CREATE ROLE worker LOGIN")
            }
            try await FaultProxy.with(to: "\(server.folder)/.s.PGSQL.5432") { proxy, port in
                proxy.replace(Array(" role=".utf8), by: Array(" a.bc=".utf8))
                let owner = server.connection
                let worker = owner.replacing(["user": "worker"])
                let pooled = worker.replacing(["host": "127.0.0.1", "port": "\(port)"])
                await #expect(throws: SettingsDropped(role: "worker")) {
                    try await StoreSchema.prepare(pooled, migratingWith: owner)
                }
                try await expectUntouched(owner)
                try await StoreSchema.prepare(worker, migratingWith: owner)
                await #expect(throws: SettingsDropped(role: "worker")) {
                    try await StoreSchema.prepare(pooled, migratingWith: owner)
                }
            }
        }
    }

    // Goal: the service's login does not become the owner by what it leaves behind. Method: it may
    // make functions in public, as anybody may where a database is of before PostgreSQL 15; one fits
    // what the owner asks better than the server's own, and says as whom it is called.
    @Test func `what others have made in public is not called as the owner`() async throws {
        try await withLogins { worker, keeper, _ in
            try await StoreSchema.prepare(worker, migratingWith: keeper)
            try await Session.with(keeper) { session in
                try await session.execute("GRANT CREATE ON SCHEMA public TO worker")
                // So that the owner has something to do.
                try await session.execute(
                    "REVOKE SELECT ON public.plimsoll_migration FROM plimsoll_service"
                )
            }
            try await Session.with(worker) { session in
                try await session.script(
                    """
                    CREATE FUNCTION public.pg_has_role(oid, text, text) RETURNS boolean
                    LANGUAGE plpgsql AS $$
                    BEGIN
                        RAISE EXCEPTION 'called as %', current_user;
                    END
                    $$
                    """
                )
            }
            try await StoreSchema.prepare(worker, migratingWith: keeper)
        }
    }

    // Goal: whatever lets a login change the log is named, and nothing else is.
    @Test func `a login with more rights is named for each of them`() async throws {
        try await withLogins { worker, keeper, administrator in
            try await StoreSchema.prepare(worker, migratingWith: keeper)
            let powers = try await LoginPower.read(keeper)
            #expect(powers.contains { $0.contains("keeper can become the owner of the log") })
            #expect(powers.contains { $0.contains("keeper owns the database") })
            #expect(powers.contains { $0.contains("keeper may create roles") })

            let superuser = keeper.replacing(["user": "postgres"])
            #expect(try await LoginPower.read(superuser).map { $0.contains("superuser") } == [true])

            let given: [(give: Statement, take: Statement, word: String)] = [
                (
                    "GRANT plimsoll_owner TO worker", "REVOKE plimsoll_owner FROM worker",
                    "can become the owner"
                ),
                ("ALTER ROLE worker CREATEROLE", "ALTER ROLE worker NOCREATEROLE", "create roles"),
                (
                    "GRANT pg_write_all_data TO worker", "REVOKE pg_write_all_data FROM worker",
                    "may write to the tables"
                ),
                (
                    "GRANT pg_execute_server_program TO worker",
                    "REVOKE pg_execute_server_program FROM worker", "run programs"
                ),
                ("GRANT postgres TO worker", "REVOKE postgres FROM worker", "is a superuser"),
            ]
            for (give, take, word) in given {
                try await administrator.execute(give)
                let powers = try await LoginPower.read(worker)
                #expect(
                    powers.contains { $0.contains("worker ") && $0.contains(word) },
                    "\(powers)"
                )
                try await administrator.execute(take)
                #expect(try await LoginPower.read(worker) == [])
            }
        }
    }
}
