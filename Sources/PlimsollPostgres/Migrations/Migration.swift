/// One step of the schema, applied once and never changed afterwards.
package struct Migration: Sendable {
    /// Counts from 1 without gaps.
    package let version: Int
    package let name: String
    /// The file's bytes, of which the database keeps the SHA-256.
    package let sql: [UInt8]
    /// What earlier programs applied in its place; only the first migration has some.
    package var predecessors: Predecessors?

    package init(version: Int, name: String, sql: [UInt8]) {
        self.version = version
        self.name = name
        self.sql = sql
    }
}

/// Migrations that were made one: a database that has all of them needs the one no more.
package struct Predecessors: Sendable {
    /// The SHA-256 of each in hexadecimal, in the order of their versions.
    package let digests: [String]
    /// What the one has beyond them.
    package let completion: [UInt8]

    package init(digests: [String], completion: [UInt8]) {
        (self.digests, self.completion) = (digests, completion)
    }
}

/// Why the schema cannot be brought to where this program needs it.
package enum MigrationError: Error, Sendable {
    /// The database is from a newer program; an older one would not understand it.
    case newerSchema(database: Int, program: Int)
    /// The database is from an older program, and nobody asked to change it.
    case olderSchema(database: Int, program: Int)
    /// The database is from before migrations were made one, and has so many of them.
    case beforeBaseline(applied: Int, of: Int)
    /// A migration that was applied is not the one this program has.
    case changed(version: Int, name: String)
    /// The database's migrations are not the first ones of this program's, in their order.
    case gap(version: Int)
    /// The program's own list is not 1, 2, 3, ….
    case unordered
    /// A migration failed and was rolled back; those before it stay.
    case failed(version: Int, name: String, PostgresError)
    case database(PostgresError)
}

extension MigrationError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .newerSchema(let database, let program):
            "the database's schema has version \(database) and this program knows \(program): "
                + "start a newer program, or restore an older backup"
        case .olderSchema(let database, let program):
            "the database's schema has version \(database) and this program knows \(program): start"
                + " plimsoll serve, which brings it up to date"
        case .beforeBaseline(let applied, let all) where applied == all:
            "the database's schema is that of an earlier program: start plimsoll serve, which brings"
                + " it up to date"
        case .beforeBaseline(let applied, let all):
            "the database has \(applied) of the \(all) migrations that are one by now: start the last"
                + " program that has them apart, which applies the rest; or make a backup with the"
                + " program that was here (plimsoll backup) and restore it into an empty database"
                + " (plimsoll restore)"
        case .changed(let version, let name):
            "migration \(version) (\(name)) was applied in another form than this program has: "
                + "applied migrations are never changed, add a new one"
        case .gap(let version):
            "migration \(version) is missing between those that were applied"
        case .unordered:
            "the program's migrations are not numbered 1, 2, 3, …"
        case .failed(let version, let name, let error):
            "migration \(version) (\(name)) failed: \(error)\(advice(error))"
        case .database(let error):
            "\(error)\(advice(error))"
        }
    }

    /// What whoever logged in with too few rights needs, or finds roles missing, or whom somebody keeps
    /// waiting.
    private func advice(_ error: PostgresError) -> String {
        switch error.sqlState {
        case "42501":
            "; the login has too few rights for it: name one with PLIMSOLL_MIGRATION_URL that "
                + "owns the database and may create roles; from PostgreSQL 16 on it also needs the admin"
                + " option on plimsoll_owner and plimsoll_service where another login made them"
        case "55P03":
            "; another session holds what it changes, such as a transaction that was left open: find it"
                + " in pg_stat_activity, wait for it or end it with pg_terminate_backend, and start again"
        case "42704":
            "; a role may be missing, as where a dump was restored on another server: make plimsoll_owner"
                + " and plimsoll_service, which no dump of a database has, with the admin option for the"
                + " login, and restore the dump again into a new database; \"A dump of the private"
                + " PostgreSQL\" in docs/operating/backup.md has the statements"
        default: ""
        }
    }
}

extension Session {
    /// How long one migration may take, and how long another program's are waited for.
    package static let migrationTimeout: Duration = .seconds(3600)

    /// How long a migration waits for a table that somebody else uses.
    ///
    /// While it waits, so does everybody who comes after it, so it gives up soon.
    package static let migrationLockTimeout: Duration = .seconds(10)

    /// "plimsoll" in ASCII: the number of the advisory lock that migrations are made under.
    private static let migrationLock: Int64 = 0x706C_696D_736F_6C6C

    /// Applies the migrations the database does not have yet, each in its own transaction.
    ///
    /// Several programs may do this at once: one does the work, the others wait and find it
    /// done. Answers the versions that were applied now. `finish` comes last, before the others
    /// get their turn.
    @discardableResult
    package func migrate(
        _ migrations: [Migration],
        lockTimeout: Duration = Session.migrationLockTimeout,
        then finish: @Sendable (Session) async throws(PostgresError) -> Void = { _ in }
    ) async throws(MigrationError) -> [Int] {
        guard migrations.map(\.version) == Array(1..<migrations.count + 1) else {
            throw .unordered
        }
        _ = try await translating { session throws(PostgresError) in
            try await session.execute(
                "SELECT pg_advisory_lock(\(Self.migrationLock))",
                timeout: Self.migrationTimeout
            )
        }
        let result: Result<[Int], MigrationError>
        do throws(MigrationError) {
            let applied = try await applyMissing(migrations, lockTimeout)
            try await translating(finish)
            result = .success(applied)
        } catch {
            result = .failure(error)
        }
        // Where this fails the session is lost, and the lock with it.
        _ = try? await execute("SELECT pg_advisory_unlock(\(Self.migrationLock))")
        return try result.get()
    }

    /// Refuses a database that does not have exactly these migrations; changes nothing.
    package func requireMigrated(_ migrations: [Migration]) async throws(MigrationError) {
        let applied = try await applied()
        try await compare(applied, migrations)
        guard applied.count == migrations.count else {
            throw .olderSchema(database: applied.count, program: migrations.count)
        }
    }

    private func applyMissing(
        _ migrations: [Migration],
        _ lockTimeout: Duration
    ) async throws(MigrationError) -> [Int] {
        try await translating { session throws(PostgresError) in
            try await session.script(Self.migrationTable)
        }
        var applied = try await applied()
        if let first = migrations.first, let predecessors = first.predecessors,
            applied.map(\.digest) == predecessors.digests
        {
            try await apply(first, predecessors.completion, lockTimeout, isReplacing: true)
            applied = try await self.applied()
        }
        try await compare(applied, migrations)
        var done: [Int] = []
        for migration in migrations.dropFirst(applied.count) {
            try await apply(migration, migration.sql, lockTimeout)
            done.append(migration.version)
        }
        return done
    }

    /// What was applied, by the SHA-256 of each.
    private func applied() async throws(MigrationError) -> [(version: Int, digest: String)] {
        try await translating { session throws(PostgresError) in
            var applied: [(version: Int, digest: String)] = []
            for row in try await session.query(
                """
                SELECT version, encode(sha256, 'hex') FROM public.plimsoll_migration
                ORDER BY version
                """
            ) {
                applied.append(try row.decode((Int, String).self))
            }
            return applied
        }
    }

    private func compare(
        _ applied: [(version: Int, digest: String)],
        _ migrations: [Migration]
    ) async throws(MigrationError) {
        let digests = applied.map(\.digest)
        if let earlier = migrations.first?.predecessors?.digests, !digests.isEmpty,
            earlier.starts(with: digests)
        {
            throw .beforeBaseline(applied: digests.count, of: earlier.count)
        }
        if let newest = applied.last?.version, newest > migrations.count {
            throw .newerSchema(database: newest, program: migrations.count)
        }
        for (index, migration) in applied.enumerated() where migration.version != index + 1 {
            throw .gap(version: index + 1)
        }
        for (migration, digest) in zip(migrations, digests) {
            let own = try await translating { session throws(PostgresError) in
                try await session.first("SELECT encode(sha256(\(migration.sql)), 'hex')")?
                    .value(at: 0, as: String.self)
            }
            guard own == digest else {
                throw .changed(version: migration.version, name: migration.name)
            }
        }
    }

    /// Applies a migration, or what a database lacks of it that has its predecessors.
    private func apply(
        _ migration: Migration,
        _ sql: [UInt8],
        _ lockTimeout: Duration,
        isReplacing: Bool = false
    ) async throws(MigrationError) {
        do {
            try await withTransaction(attempts: 1) { transaction in
                let milliseconds = String(Int64(lockTimeout / .milliseconds(1)))
                try await transaction.execute(
                    "SELECT set_config('lock_timeout', \(milliseconds), true)"
                )
                try await transaction.session.script(
                    Statement(file: sql),
                    timeout: Self.migrationTimeout
                )
                if isReplacing {
                    try await transaction.execute("DELETE FROM public.plimsoll_migration")
                }
                try await transaction.execute(
                    """
                    INSERT INTO public.plimsoll_migration (version, name, sha256)
                    VALUES (\(migration.version), \(migration.name), sha256(\(migration.sql)))
                    """
                )
            }
        } catch let error as PostgresError {
            throw .failed(version: migration.version, name: migration.name, error)
        } catch {
            throw .database(PostgresError(.misuse, "\(type(of: error))"))
        }
    }

    private func translating<Value>(
        _ body: (Session) async throws(PostgresError) -> Value
    ) async throws(MigrationError) -> Value {
        do throws(PostgresError) {
            return try await body(self)
        } catch {
            throw .database(error)
        }
    }

    private static var migrationTable: Statement {
        """
        CREATE TABLE IF NOT EXISTS public.plimsoll_migration (
            version bigint PRIMARY KEY,
            name text NOT NULL,
            sha256 bytea NOT NULL,
            applied_at timestamptz NOT NULL DEFAULT now()
        )
        """
    }
}

/// Whether a server keeps what it has acknowledged, when its power fails or it is replaced.
package struct ServerSafety: Sendable {
    /// What must not be `off`.
    static let settings = ["fsync", "full_page_writes", "synchronous_commit"]

    /// The encodings in which every text can be kept: that of the texts, and the one that looks at none.
    private static let encodings = ["UTF8", "SQL_ASCII"]

    /// Refuses a server, or a session on it, that may lose acknowledged commits, and a database that
    /// cannot keep every text.
    package static func check(_ querying: some Querying) async throws {
        let row = try await querying.first(
            """
            SELECT ARRAY(
                SELECT name FROM pg_catalog.pg_settings
                WHERE name = ANY (\(settings)) AND setting = 'off' ORDER BY name COLLATE "C"
            ), pg_catalog.pg_is_in_recovery(), pg_catalog.getdatabaseencoding()
            """
        )
        guard let row else { throw PostgresError(.decoding, "a SELECT of values answers a row") }
        let (off, isReplica, encoding) = try row.decode(([String], Bool, String).self)
        let unfit = encodings.contains(encoding) ? nil : encoding
        guard off.isEmpty, !isReplica, unfit == nil else {
            throw UnsafeServer(settings: off, isReplica: isReplica, encoding: unfit)
        }
    }
}

/// A server that may lose what it has acknowledged, or cannot keep what it is to be given.
package struct UnsafeServer: Error, Sendable, Hashable {
    /// The settings that are off.
    package let settings: [String]
    /// Whether it follows another server, which may have more, or other, than it has.
    package let isReplica: Bool
    /// That of the database, where texts do not all fit into it.
    package let encoding: String?

    package init(settings: [String], isReplica: Bool = false, encoding: String? = nil) {
        self.settings = settings
        self.isReplica = isReplica
        self.encoding = encoding
    }
}

extension UnsafeServer: CustomStringConvertible {
    /// What is wrong, and what to do about it; all of it, so that one start finds everything.
    package var description: String {
        [settingsSentence, isReplica ? Self.replicaSentence : nil, encodingSentence]
            .compactMap { $0 }.joined(separator: " ")
    }

    private static let replicaSentence =
        "PostgreSQL is a replica or still recovers; give the address of the server that takes"
        + " writes, or wait until the recovery has ended."

    private var encodingSentence: String? {
        encoding.map { encoding in
            "The database is encoded in \(encoding), in which not every text can be kept: make one"
                + " with CREATE DATABASE … TEMPLATE template0 ENCODING 'UTF8'. Write out what"
                + " is in the old one with the program that was here before (plimsoll backup), and read"
                + " that into the new one with this one (plimsoll restore)."
        }
    }

    private var settingsSentence: String? {
        guard !settings.isEmpty else { return nil }
        let list = settings.map { "\($0) = off" }.joined(separator: " and ")
        return "PostgreSQL runs with \(list), so it may lose changes it has confirmed: "
            + "switch \(settings.joined(separator: " and ")) on (ALTER SYSTEM, or for the role "
            + "or database that has it off) and start again."
    }
}
