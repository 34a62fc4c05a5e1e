import Crypto
import Foundation
import Glibc
import PlimsollAPI
import PlimsollJSON
import PlimsollTestSupport
import Subprocess
import Testing

extension ServiceTests {
    /// Devices that install from a marketplace, asked for by programs in processes of their own.
    @Suite struct DeviceRoadTests {
        private static let keyID = "2b5fd8a1-3c5e-4c59-9d53-6a1b7c9e0d42"
        private static let (older, newer) = ("878123456789", "878123456790")
        private static let packages = [older, newer]

        // Goal: what is decided reaches devices, from the service and from a replica without a
        // database, and both say the same; a replica that is killed goes on from its folder; what is
        // withdrawn is gone everywhere. Method: the commands that people have, and devices that
        // write bytes.
        @Test func `devices are answered by the service and by what follows it`() async throws {
            try await ServerFixture.with { fixture in
                let key = P256.Signing.PrivateKey()
                let file = try keep(key, in: fixture)
                let environment = ["PLIMSOLL_MARKETPLACE_TOKEN_KEYS": "\(Self.keyID)=\(file.path)"]
                try await fixture.run(environment: environment) { server in
                    let device = DeviceProbe(address: try server.edge())
                    try await eventually("no marketplace") {
                        try await status(at: server.edge()) == 404 ? () : nil
                    }
                    try await server.openMarketplace(with: Self.packages)
                    try await server.offer(Self.packages)
                    let update = try await eventually("an update") {
                        let reply = try await device.ask("/updates", Self.older)
                        return reply.versions == [Self.newer] ? reply : nil
                    }
                    try expectClaims(update, Self.newer, key)
                    #expect(try await device.ask("/updates", Self.newer).versions == [])
                    #expect(try await status(at: server.edge()) == 200)
                    try await follow(fixture, server, file, key) { replica in
                        try await expectAgreement(device, replica)
                        try await expectCalm(replica)
                        try await withdraw(server, and: ["--wait", "60s"])
                        // That was waited for, where the command was told that phones are served.
                        let told = try await device.ask("/restore", Self.newer)
                        #expect(told.failure?.contains("withdrawn") == true)
                        for place in [device, replica] {
                            try await eventually("the withdrawal") {
                                let reply = try await place.ask("/restore", Self.newer)
                                return reply.failure?.contains("withdrawn") == true ? () : nil
                            }
                            #expect(try await place.ask("/updates", "1").versions == [Self.older])
                        }
                    }
                }
            }
        }

        // Goal: replicas that know a store, or another edge over TLS, answer as one with the folder
        // does, and hear of a withdrawal. Method: real processes of all of them.
        @Test func `devices are answered by what follows a store, and an edge over TLS`()
            async throws
        {
            try await StoreProcess.with { store in
                try await ServerFixture.with { fixture in
                    let key = P256.Signing.PrivateKey()
                    let file = try keep(key, in: fixture)
                    let tls = try await Certificate.issue(in: fixture.folder, named: "origin")
                    let environment = StoreProcess.environment.merging([
                        "PLIMSOLL_EXPORT_STORES": store.address()
                    ]) { $1 }
                    try await fixture.run(environment: environment) { server in
                        try await server.openMarketplace(with: Self.packages)
                        try await server.offer(Self.packages)
                        let export = fixture.data.appending(path: "export")
                        try await fixture.standaloneEdge(over: export, tls.options) { origin in
                            let web = ["https://localhost:\(try origin.port)", "--from-ca"]
                            let sources = [[store.address()], web + [tls.certificate.path]]
                            try await follow(sources, fixture, file) { replicas in
                                try await expectHearing(replicas, of: server, key)
                            }
                        }
                    }
                }
            }
        }

        // MARK: Steps

        /// Lends a replica for each source, all of them at once.
        private func follow(
            _ sources: [[String]],
            _ fixture: ServerFixture,
            _ file: URL,
            _ found: [DeviceProbe] = [],
            _ body: ([DeviceProbe]) async throws -> Void
        ) async throws {
            guard let source = sources.first else { return try await body(found) }
            let keys = fixture.data.appending(path: "export/keys.json").path
            let end = try await Program.whileRunning(
                ["marketplace", "serve", "--from"] + source
                    + ["--keys", keys, "--listen", "127.0.0.1:0"]
                    + ["--token-key", "\(Self.keyID)=\(file.path)"],
                log: fixture.folder.appending(path: "replica-\(found.count).log"),
                environment: StoreProcess.environment
            ) { program in
                let address = try await program.address(after: "address.bound=")
                let all = found + [DeviceProbe(address: address)]
                try await follow(Array(sources.dropFirst()), fixture, file, all, body)
            }
            #expect(end == .exited(0))
        }

        private func expectHearing(
            _ replicas: [DeviceProbe],
            of server: RunningServer,
            _ key: P256.Signing.PrivateKey
        ) async throws {
            for replica in replicas {
                let reply = try await eventually("a restore") {
                    let reply = try? await replica.ask("/restore", Self.newer)
                    return reply?.versions == [Self.newer] ? reply : nil
                }
                try expectClaims(reply, Self.newer, key)
                #expect(try await status(at: replica.address) == 200)
            }
            try await withdraw(server)
            for replica in replicas {
                try await eventually("the withdrawal") {
                    let reply = try await replica.ask("/restore", Self.newer)
                    return reply.failure?.contains("withdrawn") == true ? () : nil
                }
            }
        }

        private func withdraw(_ server: RunningServer, and arguments: [String] = []) async throws {
            try await server.command(
                ["marketplace", "withdraw", Self.newer, "--reason", "It leaks"]
                    + ["--app", "harbour", "--yes"] + arguments,
                as: try server.fixture.adminToken()
            )
        }

        private func keep(
            _ key: P256.Signing.PrivateKey,
            in fixture: ServerFixture
        ) throws -> URL {
            let file = fixture.folder.appending(path: "token.pem")
            try Data(key.pemRepresentation.utf8).write(to: file)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600],
                ofItemAtPath: file.path
            )
            return file
        }

        /// Lends a replica that was killed once and began again.
        private func follow(
            _ fixture: ServerFixture,
            _ server: RunningServer,
            _ file: URL,
            _ key: P256.Signing.PrivateKey,
            _ body: (DeviceProbe) async throws -> Void
        ) async throws {
            let export = fixture.data.appending(path: "export")
            let arguments = [
                "marketplace", "serve", "--from", export.path, "--listen", "127.0.0.1:0",
                "--keys", export.appending(path: "keys.json").path,
                "--token-key", "\(Self.keyID)=\(file.path)",
            ]
            let log = fixture.folder.appending(path: "replica.log")
            for isKilled in [true, false] {
                let end = try await Program.whileRunning(arguments, log: log) { program in
                    let address = try await program.address(after: "address.bound=")
                    let replica = DeviceProbe(address: address)
                    let reply = try await eventually("a restore") {
                        let reply = try? await replica.ask("/restore", Self.newer)
                        return reply?.versions == [Self.newer] ? reply : nil
                    }
                    try expectClaims(reply, Self.newer, key)
                    guard isKilled else { return try await body(replica) }
                    _ = kill(program.processID, SIGKILL)
                }
                #expect(end == (isKilled ? .signaled(SIGKILL) : .exited(0)))
            }
        }

        private func expectClaims(
            _ reply: DeviceProbe.Reply,
            _ version: String,
            _ key: P256.Signing.PrivateKey
        ) throws {
            let token = try #require(reply.tokens.first)
            let claims = try DeviceProbe.claims(token, by: key.publicKey)
            #expect(claims["iss"]?.string == "6497405838")
            #expect(claims["vid"]?.string == version)
            #expect(claims["bid"]?.string == "org.example.harbour")
        }

        /// The same answers from both, tokens apart.
        private func expectAgreement(_ one: DeviceProbe, _ other: DeviceProbe) async throws {
            for (path, version) in [
                ("/restore", Self.older), ("/restore", "5"), ("/updates", "0"),
                ("/updates", Self.newer),
            ] {
                let (left, right) = (
                    try await one.ask(path, version), try await other.ask(path, version)
                )
                #expect(left.status == 200 && right.status == 200)
                #expect(left.versions == right.versions && left.failure == right.failure)
                #expect(left.tokens.isEmpty || left.tokens != right.tokens)
            }
        }

        // Goal: nothing that devices send is answered with 5xx. Method: mutated bodies on one
        // connection, which all get an answer.
        private func expectCalm(_ device: DeviceProbe) async throws {
            var random = Mutations(seed: 7)
            let good = Array(DeviceProbe.body(Self.older).utf8)
            let posts = (0..<2000).map { number in
                let body = String(decoding: random.mutated(good), as: UTF8.self)
                return (path: number.isMultiple(of: 2) ? "/restore" : "/updates", body: body)
            }
            let text = try await device.exchange(posts)
            let statuses = text.components(separatedBy: "HTTP/1.1 ").dropFirst().map {
                $0.prefix(3)
            }
            #expect(statuses.count == posts.count)
            #expect(Set(statuses).isSubset(of: ["200", "400"]), "\(Set(statuses))")
        }

        /// Of the configuration, on the marketplace's domain.
        private func status(at address: String) async throws -> Int {
            let text = try await DeviceProbe(address: address).file("/.well-known/marketplace-kit")
            return text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        }
    }
}
