import PlimsollDomain
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
import Testing

/// What a primary refuses that may have been replaced: it lacks what was acknowledged since.
@Suite(.timeLimit(.minutes(5)))
struct UnconfirmedRefusalTests {
    // Goal: nobody is told "there is no such change" by a primary that woke after its standby took
    // over. Method: the server waits for a standby that nobody runs, as one that was replaced does.
    @Test func `a primary that no standby confirms refuses nothing`() async throws {
        try await ScratchDatabaseServer.with(
            settings: ["synchronous_standby_names=nobody"]
        ) { server in
            let alone = server.connection.replacing(["options": "-c synchronous_commit=local"])
            try await StoreSchema.prepare(alone)
            try await withWriter(on: alone) { writer, _ in
                _ = try await writer.perform(CommandRequest(registration()))
                let again = try CommandRequest(registration())
                let error = await refusal { try await writer.perform(again) }
                #expect(error == .refused(Refusal(.appExists(harbour))))
            }
            try await withWriter(on: server.connection) { writer, _ in
                async let error = refusal {
                    try await writer.perform(CommandRequest(registration()))
                }
                let reader = try await Session.open(alone)
                try await poll(until: .seconds(10)) {
                    let waiting = try await reader.query(
                        "SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
                    )
                    return waiting.count == 1
                }
                await reader.close()
                #expect(await error == .storeAway)
            }
        }
    }
}
