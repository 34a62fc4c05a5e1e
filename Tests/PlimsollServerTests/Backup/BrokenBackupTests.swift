import PlimsollDomain
import PlimsollPostgres
import PlimsollSystem
import PlimsollTestSupport
import Synchronization
import Testing

@testable import PlimsollServer

/// What is said, and what is left, where a disk or a connection fails at the very end, or where a
/// database is not one to restore into.
@Suite(.scratchDatabase(template: serverTemplate), .timeLimit(.minutes(5)))
struct BrokenBackupTests {
    // Method: the disk takes neither the one nor the other of the two files, and then both.
    @Test(arguments: [1, 2])
    func `of a backup of which one file fails nothing is left`(number: Int) async throws {
        try await SignedLog.with { log in
            let file = log.data / "backup"
            let written = Atomic(0)
            let fault: FaultPoint.Injection = { name throws(FileError) in
                guard name == "files.grow.synchronized",
                    written.wrappingAdd(1, ordering: .relaxed).newValue == number
                else { return }
                throw FileError(.write, "/nowhere", code: 28)
            }
            let failure = await #expect(throws: BackupFailure.self) {
                try await FaultPoint.$injection.withValue(fault) {
                    _ = try await LogBackup(log.database).run(to: file.string)
                }
            }
            #expect(failure?.description.hasPrefix("No backup was written") == true)
            let left = try log.data.entries().filter { $0.contains("backup") }
            #expect(left == [])
            let again = try await LogBackup(log.database).run(to: file.string)
            #expect(again.events == SignedLog.count)
        }
    }

    // Method: the database knows of one migration more than this program, or of one less.
    @Test(arguments: [true, false])
    func `a database of another version is not backed up by halves`(isNewer: Bool) async throws {
        try await SignedLog.withMigrated { log in
            let session = try await Session.open(log.connection)
            if isNewer {
                try await session.execute(
                    """
                    INSERT INTO public.plimsoll_migration (version, name, sha256)
                    SELECT max(version) + 1, 'later', '' FROM public.plimsoll_migration
                    """
                )
            } else {
                try await session.execute(
                    """
                    DELETE FROM public.plimsoll_migration
                    WHERE version = (SELECT max(version) FROM public.plimsoll_migration)
                    """
                )
            }
            await session.close()
            let failure = await #expect(throws: BackupFailure.self) {
                _ = try await LogBackup(log.database).run(to: (log.data / "backup").string)
            }
            let program =
                isNewer ? "the plimsoll that the service runs" : "the program that was here before"
            #expect(failure?.description.contains(program) == true)
            #expect(failure?.cause == .place)
            #expect(try log.data.entries().filter { $0.contains("backup") } == [])
        }
    }

    // Nothing is wrong with the file, so nobody is sent to look at it.
    @Test func `a database that is away is told from a backup that is broken`() async throws {
        try await SignedLog.with { log in
            let file = log.data / "backup"
            _ = try await LogBackup(log.database).run(to: file.string)
            let away = RunningDatabase(url: "host=/nowhere dbname=plimsoll")
            let failure = await #expect(throws: BackupFailure.self) {
                _ = try await LogRestoration(away).run(from: file.string)
            }
            #expect(failure?.cause == .place)
            try Path("\(file).names").writeDurably(Array("soup".utf8))
            let broken = await #expect(throws: BackupFailure.self) {
                _ = try await LogRestoration(log.database).run(from: file.string)
            }
            #expect(broken?.cause == .file)
        }
    }

    // Method: it has all tables, and does not know of any migration, as one of an older program
    // does not know of the last.
    @Test func `a database that has a log is refused before it is migrated`() async throws {
        try await SignedLog.with { log in
            let file = log.data / "backup"
            _ = try await LogBackup(log.database).run(to: file.string)
            let refusal = await #expect(throws: BackupFailure.self) {
                _ = try await LogRestoration(log.database).run(from: file.string)
            }
            #expect(refusal?.description.contains("has a log, or names, already") == true)
            let session = try await Session.open(log.connection)
            let known = try await session.first(
                "SELECT true WHERE to_regclass('public.plimsoll_migration') IS NOT NULL"
            )
            await session.close()
            #expect(known == nil)
        }
    }

    @Test func `of a cut whose end nobody knows it is not said that the log is as it was`()
        async throws
    {
        try await SignedLog.withMigrated { log in
            try await log.tamper(
                """
                SELECT instance.append_one(
                    gen_random_uuid(), '', '', now(), NULL, NULL, 'x', 1, 'T', 1, gen_random_uuid(),
                    'x', 0, NULL)
                """
            )
            try await loseConnectionInCommit(of: log.database)
            let (first, second) = (log.data / "first", log.data / "second")
            let cut = LogCut(log.database, data: log.data.string)
            let failure = await #expect(throws: BackupFailure.self) {
                _ = try await cut.run(keepingIn: first.string)
            }
            #expect(failure?.description.hasPrefix("It is not known whether") == true)
            #expect(failure?.description.contains("\(first)") == true)
            #expect(failure?.cause == .commit)
            #expect(try first.status() != nil)
            try await log.tamper("DROP TABLE public.leaving CASCADE")
            try await log.tamper(
                """
                CREATE OR REPLACE FUNCTION log.hold_appends() RETURNS void LANGUAGE sql VOLATILE
                AS $$ SELECT pg_catalog.pg_advisory_xact_lock(5795122739328019564) $$
                """
            )
            let outcome = try #require(try await cut.run(keepingIn: second.string))
            #expect(outcome.first == Position(SignedLog.count + 1))
            #expect(outcome.last == outcome.first)
        }
    }
}

/// Has the server end the session of whoever holds appends, in its COMMIT.
func loseConnectionInCommit(of database: RunningDatabase) async throws {
    let session = try await Session.open(database.connection)
    try await session.script(
        """
        CREATE TABLE public.leaving (step integer);
        GRANT INSERT ON public.leaving TO PUBLIC;
        CREATE FUNCTION public.leave() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
        BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
        CREATE CONSTRAINT TRIGGER leave AFTER INSERT ON public.leaving
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.leave();
        CREATE OR REPLACE FUNCTION log.hold_appends() RETURNS void LANGUAGE sql VOLATILE
        AS $$ INSERT INTO public.leaving VALUES (1) $$
        """
    )
    await session.close()
}
