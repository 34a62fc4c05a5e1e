import Foundation
import PlimsollAPI
import PlimsollJSON
import PlimsollPostgres
import PlimsollTestSupport
import Testing

extension ServiceTests {
    /// Starts on a log that somebody wrote in.
    @Suite struct DamagedLogTests {
        enum Damage: CaseIterable {
            /// As a superuser can have it.
            case missingEvent
            /// As the service's login could have it before the database refused such a time.
            case noTime

            var sql: String {
                switch self {
                case .missingEvent:
                    """
                    ALTER TABLE log.event DISABLE TRIGGER event_refuse_change;
                    DELETE FROM log.event WHERE position = (SELECT max(position) - 1 FROM log.event);
                    ALTER TABLE log.event ENABLE ALWAYS TRIGGER event_refuse_change
                    """
                case .noTime:
                    """
                    ALTER TABLE log.event DROP CONSTRAINT event_recorded_at_check;
                    ALTER TABLE log.command DROP CONSTRAINT command_recorded_at_check;
                    SELECT instance.append_one(
                        gen_random_uuid(), '\\x00', '', 'infinity', NULL, NULL, 'x', 1, 'T', 1,
                        gen_random_uuid(), 'x', 0, NULL)
                    """
                }
            }
        }

        // Goal: a start serves phones whatever the log has become, and what was slipped in goes as the
        // report of the cut says. Method: a whole log is published, and between two runs it is damaged.
        @Test(arguments: Damage.allCases)
        func `a start on a log that is damaged reads only, and serves phones`(
            _ damage: Damage
        ) async throws {
            try await ScratchDatabaseServer.with { database in
                try await ServerFixture.with { fixture in
                    let address = "host=\(database.folder) user=postgres"
                    let fixture = fixture.on(address)
                    var served: [UInt8] = []
                    try await fixture.run { server in
                        try await server.waitForCheckpoint()
                        served = try await server.published().answer.body
                    }
                    let session = try await database.open()
                    try await session.script(Statement(file: Array(damage.sql.utf8)))
                    await session.close()
                    try await fixture.run(.edge) { server in
                        try await expectReadOnly(server, serving: served)
                    }
                    guard damage == .noTime else { return }
                    try await expectCut(fixture, address)
                    try await fixture.run { _ in try await fixture.expectVerified() }
                }
            }
        }

        private func expectReadOnly(
            _ server: RunningServer,
            serving served: [UInt8]
        ) async throws {
            try await eventually("what the operator is told") {
                try server.fixture.announcementText().contains("reads only") ? () : nil
            }
            let ready = try await server.send(.get, "/readyz", as: nil)
            #expect(ready.status == 503)
            #expect(ready.json["type"]?.string == "/problems/log-damaged")
            #expect(try await server.published().answer.body == served)
        }

        private func expectCut(_ fixture: ServerFixture, _ address: String) async throws {
            let file = fixture.folder.appending(path: "forged.ndjson").path
            let cut = try await Program.run(
                try Program.plimsoll(),
                ["cut", "--database-url", address, "--out", file],
                environment: ["PLIMSOLL_DATA": fixture.data.path]
            )
            #expect(cut.status == 0, "\(cut.errors)")
            #expect(try JSONValue(parsing: Array(cut.output.utf8))["cut"] == true)
        }
    }
}
