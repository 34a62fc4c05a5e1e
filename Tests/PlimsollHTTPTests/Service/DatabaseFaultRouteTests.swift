import HTTPTypes
import PlimsollDomain
import PlimsollJSON
import PlimsollPostgres
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

/// What is answered where the database refuses something, and where it is away.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct DatabaseFaultRouteTests {
    private static let list = "/v1/apps/harbour/changes"

    // Method: a privilege is missing, as after a restore without them.
    @Test func `what the database refuses is told to the log, and to nobody else`() async throws {
        let lines = LogLines()
        try await ServiceFixture.with(logger: lines.logger) { service in
            let before = try await service.send(.get, Self.list, as: .viewer)
            #expect(before.status == .ok)
            try await Session.with(ScratchDatabase.current.connection) { session in
                try await session.execute(
                    "REVOKE ALL ON projection.change FROM plimsoll_service"
                )
            }
            let refused = try await service.send(.get, Self.list, as: .viewer)
            #expect(refused.status == .internalServerError, "\(refused)")
            #expect(refused.json["type"]?.string == "/problems/internal")
            #expect(!refused.description.contains("42501"))
            #expect(!refused.description.contains("projection"))
            let failures = lines.all.filter { $0.hasPrefix("Request failed") }
            let failure = try #require(failures.first)
            let id = try #require(refused.json["requestId"]?.string)
            #expect(failures.count == 1)
            #expect(failure.contains("request.id=\(id)"))
            #expect(failure.contains("42501"))
            #expect(failure.contains("FROM projection.change"))
        }
    }

    // Whoever is told that the database is away sends the same again, in vain.
    @Test func `a write that the database refuses is no outage`() async throws {
        let lines = LogLines()
        try await ServiceFixture.with(logger: lines.logger) { service in
            try await Session.with(ScratchDatabase.current.connection) { session in
                try await session.execute(
                    """
                    REVOKE ALL ON FUNCTION instance.append_one, instance.append_plain,
                        instance.append_group FROM plimsoll_service
                    """
                )
            }
            let refused = try await service.propose(Edits.minimum("3.2.0"))
            #expect(refused.status == .internalServerError, "\(refused)")
            #expect(refused.json["type"]?.string == "/problems/internal")
            let failure = try #require(lines.all.first { $0.hasPrefix("Request failed") })
            #expect(failure.contains("42501"))
        }
    }

    @Test func `a database that is away is said to be, until it is back`() async throws {
        let lines = LogLines()
        try await ServiceFixture.with(logger: lines.logger) { service in
            try await withhold(true)
            let away = try await service.send(.get, Self.list, as: .viewer)
            #expect(away.status == .serviceUnavailable, "\(away)")
            #expect(away.json["type"]?.string == "/problems/unavailable")
            try await withhold(false)
            try await eventually("the database is back") {
                try await service.send(.get, Self.list, as: .viewer).status == .ok
            }
            #expect(!lines.text.contains("Request failed"))
        }
    }

    private func withhold(_ isAway: Bool) async throws {
        let database = try ScratchDatabase.current
        let place = database.connection.replacing(database: "postgres")
        let access: Statement =
            isAway
            ? "ALTER DATABASE \(identifier: database.name) WITH ALLOW_CONNECTIONS false"
            : "ALTER DATABASE \(identifier: database.name) WITH ALLOW_CONNECTIONS true"
        try await Session.with(place) { session in
            try await session.execute(access)
            try await session.execute(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = \(database.name)
                """
            )
        }
    }
}
