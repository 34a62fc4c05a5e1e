import Crypto
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

        // Method: the service says all that it has to say, and the database asks for no password.
        @Test func `no password gets into the log`() async throws {
            try await ScratchDatabaseServer.with { database in
                try await ServerFixture.with { fixture in
                    let login = "host=\(database.folder) user=postgres password=hunter2"
                    let fixture = fixture.on(login)
                    let settings = ["PLIMSOLL_LOG_LEVEL": "trace", "PLIMSOLL_MIGRATION_URL": login]
                    try await fixture.run(environment: settings) { server in
                        _ = try await server.settle()
                    }
                    let log = try fixture.logText()
                    for level in ["trace", "debug"] { #expect(log.contains(" \(level) ")) }
                    #expect(log.contains("Service finished"))
                    #expect(!log.contains("hunter2"))
                    #expect(try !log.contains(fixture.adminToken()))
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

        // Goal: whoever reads the database can neither act as anybody nor sign anything.
        // Method: tokens and private keys are looked for in all rows, and so is what has to be there.
        @Test func `what is in the database opens no door and signs nothing`() async throws {
            try await ServerFixture.with { fixture in
                try await fixture.run { server in
                    let team = try await Team(server)
                    _ = try await server.settle()
                    let tokens = [try fixture.adminToken(), team.proposer, team.approver]
                    let rows = try await everyRow(on: fixture.owner)
                    for token in tokens {
                        let digest = Data(SHA256.hash(data: Data(token.utf8))).hex
                        #expect(rows.contains(Data(digest.utf8).hex), "no digest of a token")
                        #expect(!rows.contains(token.dropFirst(4)))
                        #expect(!rows.contains(Data(token.utf8.dropFirst(4)).hex))
                    }
                    let keys = try fixture.privateKeys()
                    #expect(keys.count > 5)
                    for key in keys {
                        #expect(!rows.contains(key), "a private key stands in the database")
                        #expect(!rows.contains(Data(key.utf8).hex), "it does, as bytes")
                    }
                }
            }
        }

        /// What the tables hold, bytes as hexadecimal digits.
        private func everyRow(on database: ConnectionString) async throws -> String {
            let session = try await Session.open(database)
            let tables = try await session.query(
                """
                SELECT table_schema::text, table_name::text FROM information_schema.tables
                WHERE table_schema IN ('log', 'projection', 'directory', 'webhook', 'device', 'public')
                """
            )
            var text = ""
            for table in tables {
                let (schema, name) = try table.decode((String, String).self)
                let rows = try await session.query(
                    "SELECT t::text FROM \(identifier: schema).\(identifier: name) AS t"
                )
                for row in rows { text += try row.value(at: 0, as: String.self) + "\n" }
            }
            await session.close()
            return text
        }

        /// Has the service write, and fails the test unless its sessions are those of the logins.
        private func expectLogins(
            _ logins: [String],
            for server: RunningServer,
            on database: ConnectionString
        ) async throws {
            let version = "3.1.\(try await server.settle().count)"
            let team = try await Team(server, called: version)
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

extension Data {
    fileprivate var hex: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
    fileprivate var forms: [String] { [hex, base64EncodedString()] }
}

extension ServerFixture {
    /// What the private keys of apps and of the log look like, in base64 and hexadecimal digits.
    fileprivate func privateKeys() throws -> [String] {
        let folder = data.appending(path: "keys")
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path).flatMap { name in
            guard name.hasSuffix(".pem") || name == "log" else { return [String]() }
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            let lines = text.split(separator: "\n").map(String.init)
            guard name != "log" else {
                let encoded =
                    lines[0].split(separator: "+", maxSplits: 4).last.map(String.init) ?? ""
                // A byte stands before the key that says of what kind it is.
                let key = try #require(Data(base64Encoded: encoded)).dropFirst()
                return [encoded] + key.forms
            }
            // The third line has the public half alone.
            return lines[1...2]
                + (try P256.Signing.PrivateKey(pemRepresentation: text))
                .rawRepresentation.forms
        }
    }

    /// How the superuser of the private PostgreSQL logs in.
    fileprivate var owner: ConnectionString {
        ConnectionString("host=\(data.path)/postgres/run user=plimsoll dbname=plimsoll")
    }
}
