import Foundation
import PlimsollDomain
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
import Testing

/// A server that answers questions and takes no writes is away to whoever writes.
@Suite(.timeLimit(.minutes(5)))
struct DemotedServerTests {
    // Where a name leads for a moment after a failover, and where the writer would have stayed.
    @Test func `a standby is away, and the writer is back once the server leads`() async throws {
        try await withWriter { server, writer in
            _ = try await writer.perform(CommandRequest(failure()))
            try await server.stop()
            try Data().write(to: URL(filePath: "\(server.folder)/data/standby.signal"))
            try await server.start()
            try await poll(until: .seconds(60)) { writer.isAway }
            try await server.promote()
            try await poll(until: .seconds(60)) { !writer.isAway }
            _ = try await writer.perform(CommandRequest(failure()))
        }
    }

    // Goal: a server that writes nothing is away for as long as that lasts, though each look at the
    // log succeeds, and no longer. Method: a setting that sessions heed which begin later, so one
    // that is kept would never write again.
    @Test func `a server that was told to write nothing is away until it writes`() async throws {
        try await withWriter { server, writer in
            _ = try await writer.perform(CommandRequest(failure()))
            let owner = try await server.open()
            try await owner.execute(
                "ALTER DATABASE postgres SET default_transaction_read_only = on"
            )
            try await owner.execute(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()
                """
            )
            await #expect(throws: WriteError.storeAway) {
                try await writer.perform(CommandRequest(failure()))
            }
            try await poll(until: .seconds(60)) { writer.silence > .seconds(14) }
            #expect(writer.isAway)
            try await owner.execute("ALTER DATABASE postgres RESET default_transaction_read_only")
            await owner.close()
            try await poll(until: .seconds(60)) { !writer.isAway }
            _ = try await writer.perform(CommandRequest(failure()))
        }
    }

    /// A writer that greets as the service's does.
    private func withWriter(
        _ body: (ScratchDatabaseServer, Writer) async throws -> Void
    ) async throws {
        try await ScratchDatabaseServer.with { server in
            try await StoreSchema.prepare(server.connection)
            let memory = LogMemory(logger: .silent)
            let pool = SessionPool(server.connection, settings: .service, greeting: memory.greet)
            let writer = Writer(log: EventLog(pool), memory: memory, logger: .silent)
            try await running(writer, on: pool) { try await body(server, writer) }
        }
    }
}
