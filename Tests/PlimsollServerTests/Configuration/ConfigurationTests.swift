import Configuration
import Foundation
import Logging
import PlimsollAPI
import PlimsollDomain
import PlimsollEdge
import PlimsollSystem
import PlimsollHTTP
import PlimsollLog
import PlimsollPostgres
import PlimsollPublishing
import PlimsollServer
import PlimsollService
import PlimsollTestSupport
import Testing

struct ConfigurationTests {
    private func configuration(
        _ arguments: [String: ConfigContent] = ["data": .string("/data")],
        environment: [String: String] = [:],
        file: String? = nil
    ) async throws -> ServerConfiguration {
        try await ServerSettings.read(
            arguments: arguments,
            environment: environment,
            file: file
        ) {
            try ServerConfiguration(config: $0, environment: environment)
        }
    }

    private func withSettings(
        _ json: String,
        _ body: (String) async throws -> Void
    ) async throws {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("plimsoll-settings-\(UUID().uuidString).json")
        try Data(json.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await body(file.path)
    }

    @Test func `snapshots are kept for so long as is said`() async throws {
        #expect(try await configuration().retention == SnapshotRetention(days: 400, count: 50))
        let said = ["PLIMSOLL_EXPORT_KEEP_DAYS": "30", "PLIMSOLL_EXPORT_KEEP_COUNT": "7"]
        let told = try await configuration(environment: said)
        #expect(told.retention == SnapshotRetention(days: 30, count: 7))
        for (name, value) in [("DAYS", "0"), ("DAYS", "36501"), ("COUNT", "1"), ("COUNT", "all")] {
            await #expect(throws: ConfigurationError.self) {
                _ = try await configuration(environment: ["PLIMSOLL_EXPORT_KEEP_\(name)": value])
            }
        }
    }

    @Test func `the command line counts before the environment, that before the file`()
        async throws
    {
        let json = #"{"data": "/file", "listen": "127.0.0.3:3", "public": {"listen": "[::1]:3"}}"#
        try await withSettings(json) { file in
            let all = try await configuration(
                ["data": .string("/line")],
                environment: ["PLIMSOLL_DATA": "/variable", "PLIMSOLL_LISTEN": "127.0.0.2:2"],
                file: file
            )
            #expect(all.data == Path("/line"))
            #expect(all.listen == ListenAddress(host: "127.0.0.2", port: 2))
            #expect(all.publicListen == ListenAddress(host: "::1", port: 3))
            #expect(all.logLevel == .info)
            #expect(!all.seedsSample)
            #expect(!all.servesPages)
            #expect(all.databaseURL == nil)
        }
    }

    @Test func `witnesses are known by their own keys, each once`() async throws {
        let name = try #require(KeyName("w1.example.com"))
        let other = try #require(KeyName("w2.example.com"))
        let first = SignerKey(name: name, kind: .cosignature)
        let second = SignerKey(name: other, kind: .cosignature).verifierKey
        let note = SignerKey(name: name, kind: .note).verifierKey
        let twin = try #require(
            VerifierKey(name: other, kind: .cosignature, publicKey: first.verifierKey.publicKey)
        )
        func witnesses(_ keys: [String]) async throws -> [VerifierKey] {
            try await configuration(
                ["data": .string("/data")],
                environment: ["PLIMSOLL_LOG_WITNESSES": keys.joined(separator: ",")]
            ).witnesses
        }
        let known = [first.verifierKey, second]
        #expect(try await witnesses(known.map(\.text)) == known)
        #expect(try await witnesses([]) == [])
        let many = (0...64).map { _ in SignerKey(name: name, kind: .cosignature).verifierKey.text }
        #expect(try await witnesses(Array(many.prefix(64))).count == 64)
        for bad in [
            ["soup"], [note.text], [first.secretText], many,
            [first.verifierKey.text, first.verifierKey.text],
            [first.verifierKey.text, twin.text], [String(second.text.dropLast())],
        ] {
            await #expect(throws: ConfigurationError.self) { try await witnesses(bad) }
        }
    }

    @Test func `stores and a hook are known by their addresses`() async throws {
        let found = try await configuration(environment: [
            "PLIMSOLL_EXPORT_STORES": "s3://config/live,s3://copy?endpoint=http://127.0.0.1:9000",
            "PLIMSOLL_EXPORT_PURGE_URL": "https://hooks.example.com/purge",
            "PLIMSOLL_EXPORT_PURGE_SECRET": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
            "PLIMSOLL_EXPORT_PURGE_BASES": "https://a.example.com,https://b.example.com",
        ])
        #expect(found.stores.map { "\($0.address)" } == ["s3://config/live", "s3://copy/"])
        #expect(found.purge?.hook.text == "https://hooks.example.com/purge")
        #expect(found.purge?.bases.count == 2)
        #expect(try await configuration().stores.isEmpty)
        #expect(try await configuration().purge == nil)
    }

    @Test(arguments: [
        ("export.stores", ["PLIMSOLL_EXPORT_STORES": "config/live"]),
        ("export.stores", ["PLIMSOLL_EXPORT_STORES": "s3://config/a,s3://config/a/"]),
        ("export.stores", ["PLIMSOLL_EXPORT_STORES": "s3://config", "AWS_REGION": "eu west"]),
        ("export.purge.url", ["PLIMSOLL_EXPORT_PURGE_BASES": "https://a.example.com"]),
        ("export.purge.secret", ["PLIMSOLL_EXPORT_PURGE_URL": "https://a.example.com"]),
        (
            "export.purge.bases",
            [
                "PLIMSOLL_EXPORT_PURGE_URL": "https://a.example.com",
                "PLIMSOLL_EXPORT_PURGE_SECRET": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                "PLIMSOLL_EXPORT_PURGE_BASES": "https://a.example.com?b",
            ]
        ),
    ])
    func `a sink that makes no sense is named`(
        _ key: String,
        _ environment: [String: String]
    ) async throws {
        let error = await #expect(throws: ConfigurationError.self) {
            try await configuration(environment: environment)
        }
        #expect(error?.key == key)
    }

    @Test func `limits of requests are whole numbers in their range`() async throws {
        let usual = try await configuration().requestLimits
        #expect(usual.underWay == 16)
        #expect(usual.perMinute == 6000)
        let variables = [
            "PLIMSOLL_REQUESTS_AT_ONCE": "1", "PLIMSOLL_REQUESTS_PER_MINUTE": "1000000",
        ]
        let found = try await configuration(environment: variables).requestLimits
        #expect(found.underWay == 1)
        #expect(found.perMinute == 1_000_000)
        try await withSettings(#"{"requests": {"atOnce": 1000}}"#) { file in
            let written = try await configuration(file: file).requestLimits
            #expect(written.underWay == 1000)
        }
        for bad in ["0", "-1", "1001", "1.5", "many", "99999999999999999999"] {
            let error = await #expect(throws: ConfigurationError.self) {
                try await configuration(environment: ["PLIMSOLL_REQUESTS_AT_ONCE": bad])
            }
            #expect(error?.key == "requests.atOnce")
        }
    }

    @Test func `every variable counts`() async throws {
        let found = try await configuration(
            [:],
            environment: [
                "PLIMSOLL_DATA": "/data", "PLIMSOLL_LISTEN": "0.0.0.0:1",
                "PLIMSOLL_PUBLIC_LISTEN": "0.0.0.0:2", "PLIMSOLL_DATABASE_URL": "host=db",
                "PLIMSOLL_MIGRATION_URL": "host=db user=owner", "PLIMSOLL_SAMPLE": "true",
                "PLIMSOLL_LOG_LEVEL": "debug", "PLIMSOLL_PUBLIC_PAGES": "true",
            ]
        )
        #expect(found.data == Path("/data"))
        #expect(found.listen == ListenAddress(host: "0.0.0.0", port: 1))
        #expect(found.publicListen == ListenAddress(host: "0.0.0.0", port: 2))
        #expect(found.databaseURL == ConnectionString("host=db"))
        #expect(found.migrationURL == ConnectionString("host=db user=owner"))
        #expect(found.seedsSample)
        #expect(found.servesPages)
        #expect(found.logLevel == .debug)
    }

    @Test func `a login that migrates needs one that works`() async throws {
        let error = await #expect(throws: ConfigurationError.self) {
            try await configuration(environment: ["PLIMSOLL_MIGRATION_URL": "host=db"])
        }
        #expect(error?.key == "database.url")
    }

    // Goal: libpq's default database is nobody's choice, and doctor and backup look elsewhere.
    @Test(arguments: ["", " ", "\t\n"])
    func `a database that is named with nothing is not named`(_ blank: String) async throws {
        let neither = ["PLIMSOLL_DATABASE_URL": blank, "PLIMSOLL_MIGRATION_URL": blank]
        let privately = try await configuration(environment: neither)
        #expect(privately.databaseURL == nil && privately.migrationURL == nil)
        let one = ["PLIMSOLL_DATABASE_URL": "host=db", "PLIMSOLL_MIGRATION_URL": blank]
        let found = try await configuration(environment: one)
        #expect(found.databaseURL == ConnectionString("host=db") && found.migrationURL == nil)
    }

    @Test(arguments: ["database.url", "migration.url"])
    func `a login that cannot be read ends the start, and is not quoted`(_ key: String) async throws
    {
        var settings = ["data": "/data", "database.url": "host=db", "migration.url": "host=db"]
        settings[key] = "postgresql://ada:hunter2@x@db/plimsoll"
        let error = await #expect(throws: ConfigurationError.self) {
            try await configuration(settings.mapValues { .string($0) })
        }
        #expect(error?.key == key)
        #expect(error?.description.contains("an @ %40") == true)
        #expect(error?.description.contains("hunter2") == false)
    }

    @Test func `without a word the usual addresses hold, for this machine alone`() async throws {
        let found = try await configuration()
        #expect(found.listen == ListenAddress(host: "127.0.0.1", port: 8080))
        #expect(found.publicListen == ListenAddress(host: "127.0.0.1", port: 8081))
    }

    @Test(arguments: [
        ("data", "relative"), ("data", ""), ("listen", "8080"), ("listen", "localhost"),
        ("listen", ":8080"), ("listen", "127.0.0.1:65536"), ("listen", "127.0.0.1:-1"),
        ("listen", "::1:8080"), ("public.listen", "127.0.0.1:http"), ("log.level", "loud"),
        ("log.origin", ""), ("log.origin", "a b"), ("log.origin", "a\nb"),
        ("log.origin", String(repeating: "x", count: 256)), ("log.accept", "7"),
        ("key.service", "kms"), ("key.service", "http://127.0.0.1/x"), ("key.service", "ftp://x"),
    ])
    func `a setting that makes no sense is named`(_ key: String, _ value: String) async throws {
        var arguments: [String: ConfigContent] = ["data": .string("/data")]
        arguments[key] = .string(value)
        let error = await #expect(throws: ConfigurationError.self) {
            try await configuration(arguments)
        }
        #expect(error?.key == key)
        #expect(error?.description.contains(key) == true)
    }

    @Test func `hosts of keys are each one's own, and another key service is an origin`()
        async throws
    {
        let keys = ["3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07", "6d1f8a52-4f0e-4a3c-9b1e-0d2c7a9e5b31"]
        func found(_ hosts: String) async throws -> ServerConfiguration {
            try await configuration(environment: [
                "PLIMSOLL_KEY_HOSTS": hosts, "PLIMSOLL_KEY_SERVICE": "http://127.0.0.1:4566/",
            ])
        }
        let two = try await found("k1.example=\(keys[0]),K2.example=\(keys[1])")
        #expect(two.keyHosts.map(\.name) == ["k1.example", "k2.example"])
        #expect(two.keyHosts.map(\.key.text) == keys)
        #expect(two.keyServiceEndpoint == "http://127.0.0.1:4566")
        let usual = try await configuration()
        #expect(usual.keyHosts.isEmpty && usual.keyServiceEndpoint == nil)
        for bad in ["k1.example", "k1.example=\(keys[0]),K1.EXAMPLE=\(keys[1])", "=\(keys[0])"] {
            await #expect(throws: ConfigurationError.self) { try await found(bad) }
        }
    }

    @Test func `events are sent nowhere in particular, unless it is allowed`() async throws {
        let usual = try await configuration()
        #expect(usual.admission == Admission())
        #expect(usual.sendsToWebhooks)
        let quiet = ["PLIMSOLL_DATA": "/data", "PLIMSOLL_WEBHOOKS_SEND": "false"]
        #expect(try await !configuration(environment: quiet).sendsToWebhooks)
        let found = try await configuration(environment: [
            "PLIMSOLL_DATA": "/data", "PLIMSOLL_WEBHOOKS_HTTP": "true",
            "PLIMSOLL_WEBHOOKS_NETWORKS": "10.1.0.0/16,fd00:1::/32,10.2.0.1",
        ])
        let networks = try ["10.1.0.0/16", "fd00:1::/32", "10.2.0.1/32"].map { text in
            try #require(IPNetwork(text))
        }
        #expect(found.admission == Admission(allowsUnencrypted: true, networks: networks))
    }

    @Test(arguments: ["/nowhere/ca.pem", "/etc/hostname", "ca.pem"])
    func `authorities of webhooks that are none are refused`(file: String) async throws {
        #expect(try await configuration().webhookAuthorities == nil)
        let environment = ["PLIMSOLL_DATA": "/data", "PLIMSOLL_WEBHOOKS_CA": file]
        let error = await #expect(throws: ConfigurationError.self) {
            try await configuration(environment: environment)
        }
        #expect(error?.key == "webhooks.ca")
    }

    // Goal: no app's folder of keys can lie where the key of the webhooks is, and the other way round.
    @Test func `no app has the name of a file among the keys`() async throws {
        let usual = try await configuration()
        for file in [usual.webhookKey, usual.logKey] {
            let name = file.string.split(separator: "/").last.map(String.init)
            #expect(AppSlug(try #require(name)) == nil)
        }
    }

    @Test(arguments: ["10.1.0.1/16", "10.0.0.0/33", "example.com", "::1/x"])
    func `a network that is none is named`(_ text: String) async throws {
        let environment = ["PLIMSOLL_WEBHOOKS_NETWORKS": "10.2.0.0/16,\(text)"]
        let error = await #expect(throws: ConfigurationError.self) {
            try await configuration(environment: environment)
        }
        #expect(error?.key == "webhooks.networks")
    }

    @Test func `a service that was not told where its data is says so`() async throws {
        let error = await #expect(throws: ConfigurationError.self) { try await configuration([:]) }
        #expect(error?.key == "data")
    }

    @Test(arguments: ["", "{", "[]"])
    func `a file of settings that cannot be read ends the start`(_ json: String) async throws {
        try await withSettings(json) { file in
            await #expect(throws: (any Error).self) { try await configuration(file: file) }
        }
    }

    @Test func `what holds is written down, and no secret with it`() async throws {
        let secret = Data("hunter2 hunter2 hunter2!".utf8).base64EncodedString()
        let found = try await configuration(
            [
                "data": .string("/data"),
                "database.url": .string("postgres://plimsoll:hunter2@db.example/plimsoll"),
                "migration.url": .string("postgres://owner:hunter2@db.example/plimsoll"),
                "export.purge.url": .string("https://hooks.example.com/purge"),
                "export.purge.secret": .string("whsec_" + secret),
                "export.purge.bases": .stringArray(["https://a.example.com"]),
                "export.stores": .stringArray(["s3://config/live"]),
            ],
            environment: [
                "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "hunter2",
                "AWS_SESSION_TOKEN": "hunter2",
            ]
        )
        let lines = LogLines()
        found.log(to: lines.logger)
        #expect(lines.text.contains("/data"))
        #expect(lines.text.contains("127.0.0.1:8080"))
        #expect(lines.text.contains("database.url=<redacted>"))
        for secret in ["hunter2", "db.example"] { #expect(!lines.text.contains(secret)) }
        for text in ["\(found)", String(reflecting: found)] {
            for secret in ["hunter2", secret] { #expect(!text.contains(secret)) }
        }
        try await configuration().log(to: lines.logger)
        #expect(lines.text.contains("database.url=private"))
    }

    @Test func `an address is written as it is read`() {
        for text in ["127.0.0.1:8080", "[::1]:0", "plimsoll.example.org:65535"] {
            #expect(ListenAddress(text)?.description == text)
        }
    }
}
