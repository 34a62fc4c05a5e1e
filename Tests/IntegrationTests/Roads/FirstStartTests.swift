import Foundation
import Glibc
import NIOCore
import NIOPosix
import PlimsollAPI
import PlimsollJSON
import Subprocess
import Testing

extension ServiceTests {
    /// What whoever installs the service meets, and what their journal keeps of it.
    @Suite struct FirstStartTests {
        // Goal: ready means that the administrator's token is accepted. Method: the service is
        // asked without a pause from the moment it listens, and whoever hears that it is ready
        // uses the token at once.
        @Test func `a service that says it is ready accepts the administrator's token`()
            async throws
        {
            try await ServerFixture.with { fixture in
                let fixture = fixture.empty()
                try await fixture.run(.started) { server in
                    try await eventually("the service listens") {
                        try fixture.logText().contains("listening on ") ? true : nil
                    }
                    while try await server.send(.get, "/readyz", as: nil).status != 200 {
                        try #require(server.isAlive)
                    }
                    let me = try await server.send(.get, "/v1/me", as: try fixture.adminToken())
                    #expect(me.status == 200, "\(me.json)")
                }
            }
        }

        @Test func `an address of its own says how the service does, and nothing else`()
            async throws
        {
            try await ServerFixture.with { fixture in
                let fixture = fixture.empty()
                let environment = ["PLIMSOLL_HEALTH_LISTEN": "127.0.0.1:0"]
                try await fixture.run(.started, environment: environment) { server in
                    let address = try await eventually("the address") {
                        try #require(server.isAlive)
                        return try server.address(after: "health.bound=")
                    }
                    func status(_ path: String) async throws -> Int {
                        try await fixture.phone(at: address, path).status
                    }
                    #expect(try await status("/healthz") == 200)
                    try await eventually("it is ready") {
                        try await status("/readyz") == 200 ? () : nil
                    }
                    for path in ["/metrics", "/v1/apps", "/openapi.json", "/"] {
                        #expect(try await status(path) == 404, "\(path)")
                    }
                }
            }
        }

        // Goal: nobody who installs the service is warned of what is as it should be. Method: a first
        // start makes its database, and its log is read.
        @Test func `a first start warns of nothing and explains every number`() async throws {
            try await ServerFixture.with { fixture in
                let fixture = fixture.empty()
                try await fixture.run { server in
                    let log = try fixture.logText()
                    for words in [" warning ", " error ", " critical ", "away", "no session"] {
                        #expect(!log.contains(words), "\(words) in \(log)")
                    }
                    let metrics = try await server.send(.get, "/metrics", as: nil)
                    let text = String(decoding: metrics.answer.body, as: UTF8.self)
                    #expect(text.contains("plimsoll_build_info{"))
                    let started = text.firstMatch(of: /\nplimsoll_log_start_seconds ([0-9.]+)\n/)
                    #expect(started.flatMap { Double($0.1) } ?? 0 > 0)
                    expectExplained(text)
                }
            }
        }

        @Test func `a log of JSON has one object on every line`() async throws {
            try await ServerFixture.with { fixture in
                try await fixture.run(.started, environment: ["PLIMSOLL_LOG_FORMAT": "json"]) {
                    server in
                    try await eventually("the announcement") {
                        try #require(server.isAlive)
                        return try fixture.announcementText().contains("Try next:") ? () : nil
                    }
                    try expectObjects(try fixture.logText(), saying: "edge listens")
                }
                let export = fixture.data.appending(path: "export").path
                let log = fixture.folder.appending(path: "json-edge.log")
                _ = try await Program.whileRunning(
                    [
                        "edge", "--from", export, "--keys", "\(export)/keys.json", "--listen",
                        "127.0.0.1:0", "--log-format", "json",
                    ],
                    log: log
                ) { edge in
                    try await eventually("the edge") {
                        try #require(edge.isAlive)
                        let text = try String(contentsOf: log, encoding: .utf8)
                        return text.contains("edge listens") ? () : nil
                    }
                }
                let text = try String(contentsOf: log, encoding: .utf8)
                try expectObjects(text, saying: "edge listens")
            }
        }

        private func expectObjects(_ log: String, saying words: String) throws {
            let lines = try log.split(separator: "\n").map {
                try JSONValue(parsing: Array($0.utf8), limits: .default)
            }
            #expect(lines.contains { $0["message"]?.string == words }, "\(log)")
            for line in lines {
                for member in ["time", "level", "message"] {
                    #expect(line[member]?.string != nil, "\(line)")
                }
                #expect(line["metadata"]?.object != nil, "\(line)")
            }
        }

        @Test(arguments: ["--listen", "--public-listen", "--health-listen"])
        func `a port that is taken is named with the option that has to change`(
            _ option: String
        ) async throws {
            try await ServerFixture.with { fixture in
                try await withTakenPort { address in
                    let free = ["--listen", "--public-listen", "--health-listen"]
                        .filter { $0 != option }.flatMap { [$0, "127.0.0.1:0"] }
                    let outcome = try await Program.run(
                        try Program.plimsoll(),
                        ["serve", "--data", fixture.data.path, option, address] + free
                    )
                    #expect(outcome.status == 1)
                    let words = "\(address), which \(option) names"
                    let line = outcome.errors.split(separator: "\n").first { $0.contains(words) }
                    #expect(line?.contains("the port is taken") == true, "\(outcome.errors)")
                }
            }
        }

        @Test(arguments: ["--listen", "--stats"])
        func `an edge names its option for a port that is taken`(_ option: String) async throws {
            try await ServerFixture.with { fixture in
                let export = try await fixture.makeExport().path
                try await withTakenPort { address in
                    let rest = option == "--listen" ? [] : ["--listen", "127.0.0.1:0"]
                    let outcome = try await Program.run(
                        try Program.plimsoll(),
                        ["edge", "--from", export, "--keys", "\(export)/keys.json"]
                            + [option, address] + rest
                    )
                    #expect(outcome.status == 1)
                    let words = "Nothing can listen at \(address), which \(option) names"
                    #expect(outcome.errors.contains(words), "\(outcome.errors)")
                }
            }
        }

        // Goal: a container that is run under any number works, as OpenShift's are. Method: the
        // program runs as a user without a name, of the group 0 that owns the image's folder.
        @Test(.enabled(if: geteuid() == 0, "only root becomes another user"))
        func `a user that has no name makes and keeps a private PostgreSQL`() async throws {
            try await ServerFixture.with { fixture in
                let program = fixture.folder.appending(path: "plimsoll").path
                try FileManager.default.copyItem(atPath: try Program.plimsoll(), toPath: program)
                try FileManager.default.createDirectory(
                    at: fixture.data,
                    withIntermediateDirectories: false,
                    attributes: [.posixPermissions: 0o770]
                )
                let nameless = [
                    "--reuid", "1000670000", "--regid", "0", "--clear-groups", "env", "-u", "HOME",
                    program,
                ]
                for start in ["first", "second"] {
                    let log = fixture.folder.appending(path: "\(start).log")
                    let end = try await Program.whileRunning(
                        nameless + [
                            "serve", "--data", fixture.data.path, "--listen", "127.0.0.1:0",
                            "--public-listen", "127.0.0.1:0",
                        ],
                        program: "setpriv",
                        log: log
                    ) { running in
                        try await eventually("the \(start) start") {
                            let text = try String(contentsOf: log, encoding: .utf8)
                            try #require(running.isAlive, "\(text)")
                            return text.contains("Try next:") ? () : nil
                        }
                        let check = try await Program.run(
                            "setpriv",
                            nameless + ["verify", "log", "--data", fixture.data.path]
                        )
                        #expect(check.status == 0, "\(check.errors)")
                    }
                    #expect(end == .exited(0))
                }
            }
        }

        @Test func `no journal gets the administrator's token, at no start`() async throws {
            try await ServerFixture.with { fixture in
                let file = fixture.data.appending(path: "admin-token").path
                var announcements: [String] = []
                let first = fixture.empty()
                try await first.run { server in
                    announcements.append(try first.announcementText())
                    #expect(announcements[0].contains("the token in \(file) is valid"))
                    let token = try fixture.adminToken()
                    // Without another one this would be the last that gets in.
                    _ = try await server.admit("ada", "admin")
                    let me = try await server.send(.get, "/v1/me", as: token)
                    let id = try #require(me.json["token"]?.string)
                    let path = "/v1/tokens/\(id)"
                    #expect(try await server.send(.delete, path, as: token).status == 204)
                }
                try await first.start(.started) { server in
                    try await eventually("the announcement") {
                        try #require(server.isAlive)
                        let text = try first.announcementText()
                        return text.contains("Try next:") ? announcements.append(text) : nil
                    }
                }
                #expect(announcements.last?.contains("\(file) is not valid any more") == true)
                #expect(announcements.last?.contains("$(cat") == false)
                let token = try fixture.adminToken()
                for text in announcements + [try first.logText()] {
                    #expect(!text.contains(token))
                }
            }
        }
    }
}

/// Lends an address at which somebody listens already.
private func withTakenPort(_ body: (String) async throws -> Void) async throws {
    let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .bind(host: "127.0.0.1", port: 0).get()
    let port = try #require(listener.localAddress?.port)
    do {
        try await body("127.0.0.1:\(port)")
    } catch {
        try await listener.close()
        throw error
    }
    try await listener.close()
}

/// Fails the test unless every family of numbers says what it is.
func expectExplained(_ metrics: String) {
    let lines = metrics.split(separator: "\n")
    for (index, line) in lines.enumerated() where line.hasPrefix("# TYPE ") {
        let family = line.split(separator: " ")[2]
        let before = index > 0 ? lines[index - 1] : ""
        #expect(before.hasPrefix("# HELP \(family) "), "\(family) is not explained")
    }
}
