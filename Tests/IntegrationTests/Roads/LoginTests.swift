import Foundation
import PlimsollPostgres
import PlimsollTestSupport
import Testing

extension ServiceTests {
    /// Who the service is to its database: one login migrates and is gone, the other one works.
    @Suite struct LoginTests {
        private static let working = "plimsoll_service"

        @Test func `on a private PostgreSQL the service can only append and read`() async throws {
            try await ServerFixture.with { fixture in
                let fixture = fixture.empty()
                try await fixture.run { server in
                    try await expectLogins([Self.working], for: server, on: fixture.owner)
                    let session = try await Session.open(
                        fixture.owner.replacing(["user": Self.working])
                    )
                    await ForbiddenStatements.expectRefused(in: session)
                    await session.close()
                    try await fixture.expectVerified()
                    #expect(try !fixture.logText().contains("may do too much"))
                }
            }
        }

        // Goal: the data folder of an older program comes up, and with the login of few rights.
        // Method: what an older program had not given to the role is taken from it.
        @Test func `the private PostgreSQL of an older program gets the second login`() async throws
        {
            try await ServerFixture.with { fixture in
                var count = 0
                try await fixture.run { server in
                    count = try await server.settle().count
                    try await execute(
                        [
                            "ALTER ROLE plimsoll_service NOLOGIN",
                            "REVOKE SELECT ON public.plimsoll_migration FROM plimsoll_service",
                        ],
                        on: fixture.owner
                    )
                }
                try await fixture.run { server in
                    #expect(try await server.settle().count == count)
                    try await expectLogins([Self.working], for: server, on: fixture.owner)
                    try await fixture.expectVerified()
                }
            }
        }

        // Goal: what ran with one login goes on, is told what that login could do, and then has two.
        @Test func `a database with one login is named, and with two is not`() async throws {
            try await ScratchDatabaseServer.with { database in
                try await makeLogins(on: database)
                try await ServerFixture.with { fixture in
                    let address = "host=\(database.folder) dbname=plimsoll"
                    let (keeper, worker) = ("\(address) user=keeper", "\(address) user=worker")
                    let alone = fixture.on(keeper)
                    try await alone.run { server in
                        let log = try alone.logText()
                        #expect(log.contains("keeper can become the owner of the log"), "\(log)")
                        let finding = try await loginFinding(keeper)
                        #expect(finding.contains("\"ok\":false"), "\(finding)")
                        #expect(finding.contains("keeper owns the database"), "\(finding)")
                        try await expectLogins(["keeper"], for: server, on: database.connection)
                    }
                    let both = fixture.on(worker)
                    try await both.run(environment: ["PLIMSOLL_MIGRATION_URL": keeper]) { server in
                        try await expectLogins(["worker"], for: server, on: database.connection)
                        #expect(try !both.logText().contains("may do too much"))
                        let finding = try await loginFinding(worker)
                        #expect(finding.contains("\"ok\":true"), "\(finding)")
                        try await both.expectVerified()
                    }
                }
            }
        }

        @Test func `plimsoll migrate leaves the service nothing to do but its work`() async throws {
            try await ScratchDatabaseServer.with { database in
                try await makeLogins(on: database)
                try await ServerFixture.with { fixture in
                    let address = "host=\(database.folder) dbname=plimsoll"
                    let logins = [
                        "PLIMSOLL_DATABASE_URL": "\(address) user=worker",
                        "PLIMSOLL_MIGRATION_URL": "\(address) user=keeper",
                    ]
                    for _ in 1...2 {
                        let migrated = try await Program.run(
                            try Program.plimsoll(),
                            ["migrate"],
                            environment: logins
                        )
                        #expect(migrated.status == 0, "\(migrated.errors)")
                    }
                    let fixture = fixture.on("\(address) user=worker")
                    try await fixture.run { server in
                        try await expectLogins(["worker"], for: server, on: database.connection)
                    }
                }
            }
        }

        /// Has the service write, and fails the test unless its sessions are those of the logins.
        private func expectLogins(
            _ logins: [String],
            for server: RunningServer,
            on database: ConnectionString
        ) async throws {
            let team = try await Team(server)
            let version = "3.1.\(try await server.settle().count)"
            try await team.setMinimum(version, "Who logs in? \(version)")
            _ = try await server.settle()
            let session = try await Session.open(database)
            try await eventually("only \(logins) are logged in") {
                let rows = try await session.query(
                    """
                    SELECT usename::text, count(*) FROM pg_stat_activity
                    WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
                    GROUP BY usename ORDER BY usename
                    """
                )
                let found = try rows.map { try $0.decode((String, Int64).self) }
                return found.map(\.0) == logins && found.allSatisfy { $0.1 > 1 } ? () : nil
            }
            await session.close()
        }

        private func loginFinding(_ database: String) async throws -> String {
            let outcome = try await Program.run(
                try Program.plimsoll(),
                ["doctor", "--json", "--database-url", database]
            )
            let checks = outcome.output.split(separator: "{")
            return String(try #require(checks.first { $0.contains("\"database login\"") }))
        }

        private func makeLogins(on database: ScratchDatabaseServer) async throws {
            try await execute(
                [
                    "CREATE ROLE keeper LOGIN CREATEROLE", "CREATE ROLE worker LOGIN",
                    "CREATE DATABASE plimsoll OWNER keeper",
                ],
                on: database.connection
            )
        }

        private func execute(_ statements: [Statement], on database: ConnectionString) async throws
        {
            let session = try await Session.open(database)
            for statement in statements { try await session.execute(statement) }
            await session.close()
        }
    }
}

extension ServerFixture {
    /// How the superuser of the private PostgreSQL logs in.
    fileprivate var owner: ConnectionString {
        ConnectionString("host=\(data.path)/postgres/run user=plimsoll dbname=plimsoll")
    }
}
