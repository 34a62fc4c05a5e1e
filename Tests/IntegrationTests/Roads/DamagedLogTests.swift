import PlimsollAPI
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

        // Method: a whole log is published, and between two runs the database is damaged.
        @Test(arguments: Damage.allCases)
        func `a start on a log that is damaged reads only, and serves phones`(
            _ damage: Damage
        ) async throws {
            try await ScratchDatabaseServer.with { database in
                try await ServerFixture.with { fixture in
                    let fixture = fixture.on("host=\(database.folder) user=postgres")
                    var served: [UInt8] = []
                    try await fixture.run { server in
                        try await server.waitForCheckpoint()
                        served = try await server.published().answer.body
                    }
                    let session = try await database.open()
                    try await session.script(Statement(file: Array(damage.sql.utf8)))
                    await session.close()
                    try await fixture.run(.edge) { server in
                        try await eventually("what the operator is told") {
                            try fixture.announcementText().contains("reads only") ? () : nil
                        }
                        let ready = try await server.send(.get, "/readyz", as: nil)
                        #expect(ready.status == 503)
                        #expect(ready.json["type"]?.string == "/problems/log-damaged")
                        #expect(try await server.published().answer.body == served)
                    }
                }
            }
        }
    }
}
