import Configuration
import ConfigurationTesting
import Foundation
import PlimsollTestSupport
import Testing

@testable import PlimsollClient
@testable import PlimsollConfiguration

/// A provider over a document that a server signed and served.
@Suite(.timeLimit(.minutes(5))) struct ProviderTests {
    private func with(
        _ drafts: [DocumentDraft],
        _ body: (PlimsollProvider, ConfigReader) async throws -> Void
    ) async throws {
        let publisher = Publisher()
        let answers = try drafts.map { draft in
            (
                tag: "\"\(draft.sequence)\"",
                bytes: try publisher.answer(
                    draft.body,
                    fields: ["ETag": "\"\(draft.sequence)\"", "Cache-Control": "max-age=60"]
                )
            )
        }
        try await ScriptedServer.with { request in
            let known = answers.lastIndex { $0.tag == request["If-None-Match"] } ?? -1
            let next = known + 1
            return .bytes(
                next < answers.count
                    ? answers[next].bytes : Publisher.unsigned("304 Not Modified")
            )
        } _: { _, port in
            let client = try client(port: port, publisher)
            let provider = PlimsollProvider(client)
            try await body(provider, ConfigReader(provider: provider))
        }
    }

    private func client(port: Int, _ publisher: Publisher) throws -> AvailabilityClient {
        let versions = (os: try #require(Version("17.0")), app: try #require(Version("3.1.0")))
        var configuration = try AvailabilityClient.Configuration(
            service: try #require(URL(string: "http://127.0.0.1:\(port)")),
            app: "harbour",
            device: try #require(Device(platform: .ios, os: versions.os, app: versions.app)),
            keys: try PinnedKeys(pem: [publisher.keyID: publisher.pem]),
            folder: nil
        )
        configuration.languages = { ["en"] }
        configuration.timeLimit = 240
        return AvailabilityClient(configuration)
    }

    private static let samples = [
        "string": #""Hello""#, "int": "42", "double": "3.14", "bool": "true",
        "bytes": #""bWFnaWM=""#, "stringy": #"{"array":["Hello","World"]}"#,
        "inty": #"{"array":[42,24]}"#, "doubly": #"{"array":[3.14,2.72]}"#,
        "booly": #"{"array":[true,false]}"#,
        "byteChunky": #"{"array":["bWFnaWM=","bWFnaWMy"]}"#,
        "other": """
        {"string":"Other Hello","int":24,"double":2.72,"bool":false,"bytes":"bWFnaWMy",\
        "stringy":{"array":["Hello","Swift"]},"inty":{"array":[16,32]},\
        "doubly":{"array":[0.9,1.8]},"booly":{"array":[false,true,true]},\
        "byteChunky":{"array":["bWFnaWM=","bWFnaWMy","bWFnaWM="]}}
        """,
    ]

    @Test func `it keeps the contract of providers`() async throws {
        var draft = DocumentDraft()
        draft.members = Self.samples
        try await with([draft]) { provider, _ in
            await provider.refresh()
            try await ProviderCompatTest(provider: provider).runTest()
        }
    }

    @Test func `a value of another type is an error, one that is not there is none`() async throws {
        var draft = DocumentDraft()
        draft.members = ["text": #""a""#, "list": "[1,\"a\"]", "nothing": "null", "big": "1e300"]
        try await with([draft]) { provider, config in
            await provider.refresh()
            for (key, type) in [
                ("text", ConfigType.int), ("text", .bool), ("text", .stringArray), ("text", .bytes),
                ("list", .intArray), ("list", .stringArray), ("list", .string), ("big", .int),
                ("plimsoll.sequence", .string),
            ] {
                let error = ValueOfAnotherType(key: key, wanted: type)
                #expect(throws: error) {
                    try provider.value(forKey: AbsoluteConfigKey(ConfigKey(key)), type: type)
                }
            }
            #expect(config.string(forKey: "nothing") == nil)
            #expect(config.string(forKey: "minimumAppVersion") == nil)
            #expect(config.int(forKey: "text", default: 7) == 7)
        }
    }

    @Test func `it says what the document means, and before there is one, that the app runs`()
        async throws
    {
        try await with([DocumentDraft()]) { provider, config in
            #expect(config.bool(forKey: "availability.runs", default: false))
            #expect(config.string(forKey: "availability.verdict") == "available")
            #expect(config.string(forKey: "minimumAppVersion.value") == nil)
            await provider.refresh()
            #expect(!config.bool(forKey: "availability.runs", default: true))
            #expect(config.string(forKey: "availability.verdict") == "appTooOld")
            #expect(config.string(forKey: "availability.description") == "Too old.")
            #expect(config.string(forKey: "availability.title") == nil)
            #expect(config.string(forKey: "minimumAppVersion.value") == "3.2.0")
            #expect(config.int(forKey: "plimsoll.sequence") == 113)
        }
    }

    @Test func `who watches sees a change, and a snapshot does not change`() async throws {
        var next = DocumentDraft()
        next.sequence = 114
        next.members = [:]
        try await with([DocumentDraft(), next]) { provider, config in
            await provider.refresh()
            let before = config.snapshot()
            try await config.watchString(forKey: "availability.verdict") { updates in
                var updates = updates.makeAsyncIterator()
                let first = try await updates.next()
                #expect(first == "appTooOld")
                await provider.refresh()
                let second = try await updates.next()
                #expect(second == "available")
            }
            #expect(before.string(forKey: "availability.verdict") == "appTooOld")
            #expect(config.string(forKey: "minimumAppVersion.value") == nil)
        }
    }

    @Test func `fetching asks the service, and running follows it`() async throws {
        try await with([DocumentDraft()]) { provider, config in
            let verdict = try await config.fetchString(forKey: "availability.verdict")
            #expect(verdict == "appTooOld")
        }
        try await with([DocumentDraft()]) { provider, config in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await provider.run() }
                try await config.watchInt(forKey: "plimsoll.sequence") { updates in
                    for try await sequence in updates where sequence == 113 { return }
                }
                group.cancelAll()
            }
            #expect(config.int(forKey: "plimsoll.sequence") == 113)
        }
    }

    @Test func `what was known before is not shown again`() async throws {
        let publisher = Publisher()
        let client = try client(port: 1, publisher)
        let provider = PlimsollProvider(client)
        let open = await client.numberedState()
        let later = await client.numberedState()
        #expect(open.number < later.number)
        let blocked = AvailabilityState(
            decision: Decision(
                verdict: .appTooOld,
                title: nil,
                description: "Too old.",
                language: "en"
            ),
            document: nil,
            freshness: .unknown,
            checkedAt: nil,
            refreshError: nil,
            keepingError: nil
        )
        let config = ConfigReader(provider: provider)
        try await config.watchBool(forKey: "availability.runs") { updates in
            provider.show(blocked, number: later.number)
            provider.show(open.state, number: open.number)
            #expect(!config.bool(forKey: "availability.runs", default: true))
            var updates = updates.makeAsyncIterator()
            let seen = try await updates.next()
            #expect(seen == false)
        }
    }
}
