import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Testing

/// `plimsoll verify url`, against a real HTTP server.
struct VerifyingTests {
    private let publisher = Publisher()

    /// Harbour's document in the format, as the service makes it.
    private func document(
        _ format: WireFormat,
        until end: Instant = testNow.advanced(by: .seconds(7 * 86_400))
    ) throws -> [UInt8] {
        let app = try #require(try Given.harbourApp().logState.app(harbour))
        let issue = SnapshotIssue(
            sequence: try #require(SnapshotSequence(rawValue: 57)),
            position: Position(57),
            issuedAt: testNow,
            expiresAt: end
        )
        return format.render(PublishedState(app), issue).bytes
    }

    /// Has a document verified that the key of an app signed, with words told and with JSON.
    private func verify(
        _ format: WireFormat,
        keyOf app: AppSlug,
        at address: String? = nil,
        until end: Instant? = nil,
        _ look: @escaping @Sendable (_ words: CommandLineRun, _ json: CommandLineRun) throws -> Void
    ) async throws {
        let key = PublishedKey(
            id: try #require(KeyID(publisher.keyID)),
            app: app,
            state: .active,
            publicKey: try #require(PublicKey(pem: Array(publisher.pem.utf8)))
        )
        let path = address ?? "/distribution/\(format.fileName)"
        let body = try end.map { try document(format, until: $0) } ?? document(format)
        let reply = try ScriptedService.Reply(body, signedBy: publisher)
        try await withFile("keys.json", PublishedKeys([key]).bytes) { keys in
            try await ScriptedService.with(["GET \(path)": [reply]]) { _, url in
                let command = ["verify", "url", "\(url)\(path)", "--key", keys]
                let words = try await plimsoll(command + ["--format", "table"], token: nil)
                let json = try await plimsoll(command, token: nil)
                try look(words, json)
            }
        }
    }

    /// Those of an app that is in no marketplace.
    private static let formats = WireFormat.all(on: [.ios, .android])
        .filter { $0.subject != .distribution }

    @Test(arguments: formats)
    func `a document of every format says whose it is`(_ format: WireFormat) async throws {
        let stamp = try JSONValue(parsing: try document(format))["plimsoll"]
        #expect(stamp?["position"] == 57)
        let readers = format.platform.map { "on \($0.name)" } ?? "for Prince of Versions"
        try await verify(format, keyOf: harbour) { (words, json) throws in
            try #require(json.code == 0, "\(json.errors)")
            let told = try json.json()["plimsoll"]
            #expect(told == stamp)
            #expect(words.output.contains("harbour \(readers), event 57, sequence 57, good until"))
        }
    }

    @Test(arguments: formats)
    func `a document that the key of another app signed is refused`(
        _ format: WireFormat
    ) async throws {
        try await verify(format, keyOf: slug("ferry")) { words, _ in
            #expect(words.code == 8)
            #expect(words.output.isEmpty)
            #expect(words.errors.contains("belongs to the app ferry"), "\(words.errors)")
        }
    }

    // Whoever shows an older document hides what came after.
    @Test(arguments: [("2020-01-01T00:00:00Z", true), ("9999-01-01T00:00:00Z", false)])
    func `a document that has expired is good, and said to be old`(
        _ end: String,
        _ isExpired: Bool
    ) async throws {
        let format = try #require(Self.android)
        let end = try #require(Instant(rfc3339: end))
        try await verify(format, keyOf: harbour, until: end) { (words, json) throws in
            #expect(words.code == 0 && json.code == 0)
            #expect(words.output.contains("whether there is a newer one") == isExpired)
            #expect(try json.json()["expired"]?.bool == isExpired)
        }
    }

    private static let android = WireFormat.all.first { $0.platform == .android }

    @Test(arguments: [
        "/distribution/harbour/availability-android",
        "/distribution/harbour/keys/1/availability-android",
        "/cdn/distribution/availability-android", "/android.json",
    ])
    func `a document is verified wherever it belongs`(_ address: String) async throws {
        let format = try #require(Self.android)
        try await verify(format, keyOf: harbour, at: address) { words, _ in
            #expect(words.code == 0, "\(words.errors)")
        }
    }

    @Test(arguments: [
        "/distribution/availability-ios", "/distribution/harbour/availability-ios",
        "/distribution/harbour/altstore.json", "/distribution/ferry/availability-android",
    ])
    func `a document that is served where another one belongs is refused`(
        _ address: String
    ) async throws {
        let format = try #require(Self.android)
        try await verify(format, keyOf: harbour, at: address) { words, json in
            #expect(words.code == 8 && json.code == 8)
            #expect(words.output.isEmpty)
            #expect(words.errors.contains("of harbour on Android"), "\(words.errors)")
        }
    }
}
