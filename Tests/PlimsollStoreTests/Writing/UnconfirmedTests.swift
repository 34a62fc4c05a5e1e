import PlimsollDomain
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
import Testing

/// A primary whose standby does not answer, as one that was replaced while it was frozen: it may
/// lack what was acknowledged since, and what it has nobody else may have.
///
/// The server waits for a standby that runs only where a test says so.
@Suite(.timeLimit(.minutes(5)))
struct UnconfirmedTests {
    @Test func `nothing is refused until a standby confirms, and only the first one waits`()
        async throws
    {
        try await withPrimary { server, alone in
            _ = try await perform(CommandRequest(registration()), on: alone)
            try await withWriter(on: server.connection) { writer, _ in
                #expect(try await outcome(of: registration(), writer) == .storeAway)
                var waits: [Duration] = []
                for _ in 1...20 {
                    let start = ContinuousClock.now
                    #expect(try await outcome(of: registration(), writer) == .storeAway)
                    waits.append(ContinuousClock.now - start)
                }
                // A busy machine may hold up one or two.
                #expect(waits.sorted()[17] < .seconds(1) && waits.allSatisfy { $0 < .seconds(5) })
                #expect(writer.isUnconfirmed)
                try await server.withStandby(named: "standby") {
                    try await poll(until: .seconds(60)) { !writer.isAway }
                    let error = try await outcome(of: registration(), writer)
                    #expect(error == .refused(Refusal(.appExists(harbour))))
                }
            }
        }
    }

    @Test func `what is asked again is acknowledged once a standby has it`() async throws {
        try await withPrimary { server, alone in
            let request = CommandRequest(failure())
            let first = try await perform(request, on: alone)
            try await withWriter(on: server.connection) { writer, _ in
                let error = await refusal { try await writer.perform(request) }
                #expect(error == .storeAway)
                try await server.withStandby(named: "standby") {
                    try await poll(until: .seconds(60)) { !writer.isAway }
                    #expect(try await writer.perform(request).span == first.span)
                }
            }
        }
    }

    @Test func `sessions do not pile up at a server that confirms nothing`() async throws {
        try await withPrimary { server, alone in
            try await withWriter(on: server.connection) { writer, _ in
                #expect(try await outcome(of: registration(), writer) == .storeAway)
                let reader = try await Session.open(alone)
                // One wrote, and one waits until something is confirmed.
                for _ in 1...3 {
                    try await poll(until: .seconds(60)) {
                        _ = await refusal { try await writer.perform(CommandRequest(failure())) }
                        return try await waiting(reader) == 2
                    }
                }
                await reader.close()
            }
        }
    }

    // Goal: whoever waits for a confirmation does not wait at a server that another one has replaced.
    // Method: all of the primary is frozen, whose kernel keeps the connections, and the next one leads.
    @Test func `a primary that freezes while it is asked is left for the next one`() async throws {
        try await withPrimary { server, alone in
            try await server.keepCopy()
            try await server.withSuccessor { successor in
                let both = ConnectionString(
                    "host=\(server.folder),\(successor.folder) user=postgres dbname=postgres"
                        + " connect_timeout=2"
                )
                let memory = LogMemory(logger: .silent)
                let pool = SessionPool(both, settings: .service, greeting: memory.greet)
                let writer = Writer(log: EventLog(pool), memory: memory, logger: .silent)
                try await running(writer, on: pool) {
                    #expect(try await outcome(of: registration(), writer) == .storeAway)
                    let reader = try await Session.open(alone)
                    try await poll(until: .seconds(60)) { try await waiting(reader) == 2 }
                    let frozen = try await others(reader)
                    try await server.signal("STOP")
                    for process in frozen { try await server.signal("STOP", process: process) }
                    try await poll(until: .seconds(120)) { !writer.isAway }
                    #expect(try await outcome(of: registration(), writer) == nil)
                    for process in frozen { try await server.signal("CONT", process: process) }
                    await reader.close()
                }
            }
        }
    }

    /// The processes of all sessions but the reader's.
    private func others(_ reader: Session) async throws -> [Int] {
        let others: Statement = """
            SELECT pid::bigint FROM pg_stat_activity
            WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
            """
        return try await reader.query(others).map { try $0.value(at: 0) }
    }

    private func waiting(_ reader: Session) async throws -> Int {
        let waiting: Statement = "SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        return try await reader.query(waiting).count
    }

    private func outcome(
        of command: RegisterApp,
        _ writer: Writer
    ) async throws -> WriteError? {
        await refusal { try await writer.perform(CommandRequest(command)) }
    }

    /// Writes as if nobody had to confirm it.
    private func perform(
        _ request: CommandRequest,
        on alone: ConnectionString
    ) async throws -> Receipt {
        try await withWriter(on: alone) { writer, _ in try await writer.perform(request) }
    }

    private func withPrimary(
        _ body: (_ server: ScratchDatabaseServer, _ alone: ConnectionString) async throws -> Void
    ) async throws {
        let settings = ["synchronous_standby_names=standby"]
        try await ScratchDatabaseServer.with(settings: settings) { server in
            let alone = server.connection.replacing(["options": "-c synchronous_commit=local"])
            try await StoreSchema.prepare(alone)
            try await body(server, alone)
        }
    }
}
