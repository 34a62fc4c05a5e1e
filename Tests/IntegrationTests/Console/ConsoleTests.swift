import Foundation
import Glibc
import PlimsollAPI
import PlimsollTestSupport
import Subprocess
import Testing

extension ServiceTests {
    /// What people do at the console, in a real browser: each scenario is told in `scenarios.py`.
    @Suite struct ConsoleTests {
        // Goal: the drill of docs/operating/night.md works for everybody.
        @Test(arguments: [
            "night_with_a_mouse", "night_with_the_keyboard", "night_on_a_phone",
            "night_without_scripts", "an_emergency",
        ])
        func `a version is blocked and rolled back again`(scenario: String) async throws {
            try await browse(scenario)
        }

        @Test(arguments: [
            "two_people", "a_conflict", "two_of_three", "while_one_types",
            "several_platforms", "a_freeze", "a_suspended_change", "a_document_checked",
            "shares_from_a_file", "a_review", "a_form_filled_in",
            "a_file_dropped", "a_preview", "changes_found_again", "a_text_in_another_language",
            "a_time_in_a_freeze", "a_time_taken_away", "more_approvers_than_are_named",
            "a_first_count",
        ])
        func `two people work on one change`(scenario: String) async throws {
            try await browse(scenario)
        }

        @Test(arguments: [
            "intruders", "a_form_that_was_altered", "hostile_content", "what_is_not_offered",
        ])
        func `nobody else acts, and nothing that is written is run`(scenario: String) async throws {
            try await browse(scenario)
        }

        @Test func `everybody sees what is published, and is run nothing`() async throws {
            try await browse("the_public_page", with: ["PLIMSOLL_PUBLIC_PAGES": "true"])
        }

        @Test(arguments: [
            "a_policy_in_words", "a_compromise_drill", "the_record", "people_looked_after",
            "nothing_of_that_name", "an_app_without_anything",
        ])
        func `what is looked after is shown before it is done, and found afterwards`(
            scenario: String
        ) async throws {
            try await browse(scenario)
        }

        @Test func `who is told what happens sees it arrive`() async throws {
            let allowed = [
                "PLIMSOLL_WEBHOOKS_HTTP": "true", "PLIMSOLL_WEBHOOKS_NETWORKS": "127.0.0.1/32",
            ]
            try await browse("a_webhook", with: allowed)
        }

        // Method: no proof is young enough here.
        @Test func `what is sensitive asks for the token again`() async throws {
            try await browse("a_proof_asked_again", with: ["PLIMSOLL_CONSOLE_PROOF_SECONDS": "0"])
        }

        // Goal: no screen is closed to anybody, and every link leads somewhere.
        @Test(arguments: [
            "every_screen", "every_screen_in_german", "every_screen_by_keyboard",
            "acts_by_keyboard",
        ])
        func `every screen can be read, heard and reached`(scenario: String) async throws {
            try await browse(scenario)
        }

        @Test(arguments: [
            "a_revoked_token", "a_look_in_between", "an_ended_session", "nobody_there",
        ])
        func `what was typed outlives the session that it was typed in`(
            scenario: String
        ) async throws {
            try await browse(scenario)
        }

        // Method: the private PostgreSQL is killed and its folder withheld when the browser says.
        @Test func `a page says that the database is away, and comes back by itself`() async throws
        {
            try await ServerFixture.with { fixture in
                try await fixture.run { server in
                    let wish = fixture.folder.appending(path: "shots/database.wish")
                    try await withThrowingTaskGroup { group in
                        group.addTask { try await browse("an_outage", server, fixture) }
                        try await wished("away", at: wish)
                        let cluster = try WithheldDatabase(fixture)
                        #expect(Glibc.kill(cluster.postmaster, SIGKILL) == 0)
                        try await eventually("the service has noticed") {
                            try await server.send(.get, "/readyz", as: nil).status == 503
                                ? true : nil
                        }
                        try FileManager.default.removeItem(at: wish)
                        try await wished("back", at: wish)
                        try cluster.giveBack()
                        try FileManager.default.removeItem(at: wish)
                        try await group.waitForAll()
                    }
                }
            }
        }

        // Method: the service ends when the browser says, and the next one listens in its place.
        @Test(arguments: [SIGTERM, SIGKILL])
        func `a page says that the service is away, and goes on with the next`(
            _ signal: Int32
        ) async throws {
            try await withHeldPorts(2) { ports in
                try await ServerFixture.with { fixture in
                    let fixture = fixture.listening(at: ports[0], ports[1])
                    let wish = fixture.folder.appending(path: "shots/service.wish")
                    try await withThrowingTaskGroup { group in
                        try await fixture.run { server in
                            group.addTask { try await browse("a_restart", server, fixture) }
                            try await wished("away", at: wish)
                            server.send(signal)
                        }
                        try FileManager.default.removeItem(at: wish)
                        try await wished("back", at: wish)
                        try await fixture.run { _ in
                            try FileManager.default.removeItem(at: wish)
                            try await group.waitForAll()
                        }
                    }
                }
            }
        }

        // Method: an edge follows the service, and is frozen and woken when the browser says.
        @Test func `a receipt says what other edges give`() async throws {
            try await ServerFixture.with { fixture in
                let environment = ["PLIMSOLL_ORIGIN_LISTEN": "127.0.0.1:0"]
                try await fixture.run(environment: environment) { server in
                    let origin = try #require(try server.address(after: "origin.bound="))
                    let keys = fixture.data.appending(path: "export/keys.json").path
                    let end = try await Program.whileRunning(
                        [
                            "edge", "--from", "http://\(origin)", "--listen", "127.0.0.1:0",
                            "--keys", keys, "--name", "north",
                        ],
                        log: fixture.folder.appending(path: "north.log")
                    ) { edge in
                        _ = try await edge.address(after: "address.bound=")
                        try await freeze(edge, server, fixture)
                    }
                    #expect(end == .exited(0))
                }
            }
        }

        private func freeze(
            _ edge: RunningProgram,
            _ server: RunningServer,
            _ fixture: ServerFixture
        ) async throws {
            let wish = fixture.folder.appending(path: "shots/edge.wish")
            try await withThrowingTaskGroup { group in
                group.addTask { try await browse("other_edges", server, fixture) }
                for (state, signal) in [("frozen", SIGSTOP), ("awake", SIGCONT)] {
                    try await wished(state, at: wish)
                    #expect(Glibc.kill(edge.processID, signal) == 0)
                    try FileManager.default.removeItem(at: wish)
                }
                try await group.waitForAll()
            }
        }

        private func wished(_ state: String, at wish: URL) async throws {
            try await eventually("the browser wants \(wish.lastPathComponent): \(state)") {
                try? String(contentsOf: wish, encoding: .utf8) == state ? true : nil
            }
        }

        private func browse(
            _ scenario: String,
            with environment: [String: String] = [:]
        ) async throws {
            try await ServerFixture.with { fixture in
                try await fixture.run(environment: environment) { server in
                    try await browse(scenario, server, fixture)
                }
            }
        }

        /// Runs a scenario; what the browser saw of every screen is left in `.build/console`.
        private func browse(
            _ scenario: String,
            _ server: RunningServer,
            _ fixture: ServerFixture
        ) async throws {
            let isTour = scenario.hasPrefix("every_screen")
            let shots = isTour ? Self.gallery : fixture.folder.appending(path: "shots")
            let settings = fixture.folder.appending(path: "console.json")
            let tokens = [
                "admin": try fixture.adminToken(),
                // Nobody of them may read the record: whoever may sees more, and hides what others lack.
                "alice": try await server.admit("alice", "proposer"),
                "bob": try await server.admit("bob", "approver"),
                "dave": try await server.admit("dave", "approver"),
                "carol": try await server.admit("carol", "proposer"),
                "otto": try await server.admit(
                    "otto",
                    "admin",
                    "proposer",
                    "approver",
                    "responder",
                    "auditor"
                ),
                "rita": try await server.admit("rita", "responder"),
            ]
            try JSONEncoder().encode(
                Settings(
                    url: "http://\(try server.rest())",
                    publicURL: "http://\(try server.edge())",
                    tokens: tokens,
                    shots: shots.path
                )
            ).write(to: settings)
            let outcome = try await Program.run(
                StoreProcess.python,
                [Self.folder.appending(path: "scenarios.py").path, settings.path, scenario]
            )
            #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors.suffix(6000))")
        }

        private struct Settings: Encodable {
            let url: String
            let publicURL: String
            let tokens: [String: String]
            let shots: String
        }

        private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        private static let gallery = folder.deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: ".build/console")
    }
}
