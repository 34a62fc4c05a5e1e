extension Session {
    /// How long one migration may take, and how long another program's are waited for.
    package static let migrationTimeout: Duration = .seconds(3600)

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
            let applied = try await applyMissing(migrations)
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
        let applied = try await appliedVersions()
        try await compare(applied, migrations)
        guard applied.count == migrations.count else {
            throw .olderSchema(database: applied.count, program: migrations.count)
        }
    }

    private func applyMissing(
        _ migrations: [Migration]
    ) async throws(MigrationError) -> [Int] {
        try await translating { session throws(PostgresError) in
            try await session.script(Self.migrationTable)
        }
        let applied = try await appliedVersions()
        try await compare(applied, migrations)
        var done: [Int] = []
        for migration in migrations.dropFirst(applied.count) {
            try await apply(migration)
            done.append(migration.version)
        }
        return done
    }

    private func appliedVersions() async throws(MigrationError) -> [Int] {
        try await translating { session throws(PostgresError) in
            var versions: [Int] = []
            for row in try await session.query(
                "SELECT version FROM public.plimsoll_migration ORDER BY version"
            ) {
                versions.append(try row.value(at: 0))
            }
            return versions
        }
    }

    private func compare(
        _ applied: [Int],
        _ migrations: [Migration]
    ) async throws(MigrationError) {
        if let newest = applied.last, newest > migrations.count {
            throw .newerSchema(database: newest, program: migrations.count)
        }
        for (index, version) in applied.enumerated() where version != index + 1 {
            throw .gap(version: index + 1)
        }
        for migration in migrations.prefix(applied.count) {
            let isSame = try await translating { session throws(PostgresError) in
                try await session.first(
                    """
                    SELECT sha256 = sha256(\(migration.sql)) FROM public.plimsoll_migration
                    WHERE version = \(migration.version)
                    """
                )?.value(at: 0, as: Bool.self)
            }
            guard isSame == true else {
                throw .changed(version: migration.version, name: migration.name)
            }
        }
    }

    private func apply(_ migration: Migration) async throws(MigrationError) {
        do {
            try await withTransaction(attempts: 1) { transaction in
                try await transaction.session.script(
                    Statement(file: migration.sql),
                    timeout: Self.migrationTimeout
                )
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

extension SessionPool {
    /// See ``Session/migrate(_:)``.
    @discardableResult
    package func migrate(_ migrations: [Migration]) async throws -> [Int] {
        try await withSession { try await $0.migrate(migrations) }
    }
}
