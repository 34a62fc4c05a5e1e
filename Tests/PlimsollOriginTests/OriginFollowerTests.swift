import Foundation
import Metrics
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollEdge
import PlimsollJSON
import PlimsollTestSupport
import Synchronization
import Testing

@testable import PlimsollOrigin

@Suite(.timeLimit(.minutes(5))) struct OriginFollowerTests {
    private let builder: SnapshotBuilder

    init() throws { builder = try SnapshotBuilder() }

    private static let streamHead =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"

    private func edge(_ name: String = "edge") -> TreeEdge {
        TreeEdge(name, trusting: builder.trusted)
    }

    @Test func `what is published at the top is served three levels below`() async throws {
        let (top, middle, leaf) = (edge("top"), edge("middle"), edge("leaf"))
        await top.loader.load(try builder.fetched(1))
        try await top.listening { topPort in
            try await middle.listening { middlePort in
                try await middle.following(topPort) {
                    try await leaf.following(middlePort) {
                        #expect(await leaf.serves(1))
                        for number: Int64 in 2...20 {
                            await top.loader.load(try builder.fetched(number))
                            #expect(await leaf.serves(number))
                        }
                        #expect(middle.sequences == [20])
                    }
                }
            }
        }
    }

    @Test func `a proof that comes later is told of, and fetched alone`() async throws {
        let (top, leaf) = (edge(), edge())
        await top.loader.load(try builder.fetched(1))
        try await top.listening { port in
            try await leaf.following(port) {
                #expect(await leaf.serves(1))
                await top.loader.load(proof: Array("proof".utf8), of: builder.app)
                #expect(
                    await eventually {
                        let offered = await leaf.loader.offered(of: builder.app)
                        return offered?.proof?.body == Array("proof".utf8)
                    }
                )
            }
        }
    }

    @Test func `who was cut off is told of what came meanwhile`() async throws {
        let (top, leaf) = (edge(), edge())
        await top.loader.load(try builder.fetched(1))
        try await top.listening { port in
            try await FaultProxy.with(toPort: port) { proxy, proxyPort in
                try await leaf.following(proxyPort) {
                    #expect(await leaf.serves(1))
                    proxy.cut()
                    await top.loader.load(try builder.fetched(2))
                    #expect(leaf.sequences == [1])
                    proxy.heal()
                    #expect(await leaf.serves(2))
                    await top.loader.load(try builder.fetched(3))
                    #expect(await leaf.serves(3))
                }
            }
        }
    }

    @Test func `whether an origin tells is shown`() async throws {
        let (top, notebook) = (edge(), MetricsNotebook())
        try await top.listening { port in
            try await FaultProxy.with(toPort: port) { proxy, proxyPort in
                let connected = "plimsoll.origin.connected origin=http://127.0.0.1:\(proxyPort)"
                try await withMetricsFactory(notebook) {
                    try await edge().following(proxyPort) {
                        #expect(await eventually { notebook[connected] == 1 })
                        proxy.cut()
                        #expect(await eventually { notebook[connected] == 0 })
                        proxy.heal()
                        #expect(await eventually { notebook[connected] == 1 })
                    }
                }
            }
        }
    }

    @Test func `of two origins one that freezes keeps nothing from anybody`() async throws {
        let (left, right, leaf) = (edge("left"), edge("right"), edge("leaf"))
        for top in [left, right] { await top.loader.load(try builder.fetched(1)) }
        try await left.listening { leftPort in
            try await right.listening { rightPort in
                try await FaultProxy.with(toPort: leftPort) { proxy, proxyPort in
                    try await leaf.following(proxyPort, rightPort) {
                        #expect(await leaf.serves(1))
                        proxy.cut()
                        await left.loader.load(try builder.fetched(2))
                        await right.loader.load(try builder.fetched(2))
                        #expect(await leaf.serves(2))
                    }
                }
            }
        }
    }

    @Test func `an origin that lags takes nothing back`() async throws {
        let (left, right, leaf) = (edge("left"), edge("right"), edge("leaf"))
        await left.loader.load(try builder.fetched(5))
        await right.loader.load(try builder.fetched(3))
        try await left.listening { leftPort in
            try await right.listening { rightPort in
                try await leaf.following(leftPort, rightPort) {
                    #expect(await leaf.serves(5))
                    await right.loader.load(try builder.fetched(4))
                    #expect(await eventually { right.followers.summary(serving: [:]).edges == 2 })
                    #expect(leaf.sequences == [5])
                    await right.loader.load(try builder.fetched(6))
                    #expect(await leaf.serves(6))
                }
            }
        }
    }

    @Test func `an origin that starts anew is followed anew`() async throws {
        let (top, leaf) = (edge(), edge())
        await top.loader.load(try builder.fetched(1))
        try await FaultProxy.with(toPort: 1) { proxy, proxyPort in
            try await leaf.following(proxyPort) {
                for number: Int64 in 1...3 {
                    let again = edge()
                    await again.loader.load(try builder.fetched(number))
                    try await again.listening { port in
                        proxy.turn(toPort: port)
                        #expect(await leaf.serves(number))
                    }
                }
            }
        }
    }

    @Test func `nothing is served that no trusted key has signed`() async throws {
        let (stranger, notebook) = (try SnapshotBuilder(), MetricsNotebook())
        let top = TreeEdge(trusting: stranger.trusted)
        await top.loader.load(try stranger.fetched(9))
        try await top.listening { port in
            try await withMetricsFactory(notebook) {
                let leaf = edge()
                try await leaf.following(port) {
                    #expect(await eventually { notebook["plimsoll.snapshots.refused"] == 1 })
                    #expect(leaf.sequences.isEmpty)
                    // The key is trusted later: what was told of before is served by itself.
                    await leaf.loader.trust(stranger.trusted)
                    #expect(await leaf.serves(9))
                }
            }
        }
    }

    @Test func `an app that the origin has nothing of is told of`() async throws {
        let (quay, lines) = (try SnapshotBuilder("quay"), LogLines())
        let (top, keys) = (edge("top"), TrustedKeys(builder.trusted.all + quay.trusted.all))
        // Whenever it is asked for, a minute has passed.
        let start = ContinuousClock.now
        let minutes = Mutex(0)
        let leaf = TreeEdge(
            "leaf",
            trusting: keys,
            now: {
                let count = minutes.withLock { minutes in
                    minutes += 1
                    return minutes
                }
                return start.advanced(by: .seconds(60 * count))
            }
        )
        await top.loader.load(try builder.fetched(1))
        try await top.listening { port in
            try await leaf.following(port, logger: lines.logger) {
                #expect(await leaf.serves(1))
                #expect(await eventually { lines.text.contains("app.slug=quay") })
                #expect(!lines.text.contains("app.slug=harbour"))
            }
        }
    }

    @Test func `many apps change at once`() async throws {
        let builders = try (1...40).map { try SnapshotBuilder("app-\($0)") }
        let keys = TrustedKeys(builders.flatMap(\.trusted.all))
        let (top, leaf) = (TreeEdge(trusting: keys), TreeEdge(trusting: keys))
        try await top.listening { port in
            try await leaf.following(port) {
                for number: Int64 in 1...3 {
                    for builder in builders { await top.loader.load(try builder.fetched(number)) }
                }
                #expect(await eventually { leaf.sequences == Array(repeating: 3, count: 40) })
            }
        }
    }

    @Test func `an edge that tells nobody is looked at`() async throws {
        let snapshot = try builder.snapshot(4)
        try await ScriptedServer.with { request in
            let files = OfferedSnapshot(snapshot).files
            let path = request.text.split(separator: " ")[1]
            guard let file = files.first(where: { path == "/distribution/harbour/\($0.name)" })
            else { return .bytes(Publisher.unsigned("404 Not Found")) }
            let body = Data(file.body)
            return .bytes(Publisher.unsigned("200 OK", fields: ["ETag": "\"4\""], body: body))
        } _: { server, port in
            let leaf = edge()
            try await leaf.following(port) {
                #expect(await leaf.serves(4))
                let asked = server.requests.filter { $0.text.contains("/origin/snapshots?") }
                #expect(asked.count == 1)
            }
        }
    }

    @Test func `an origin behind something that holds answers back is asked to wait`()
        async throws
    {
        let offered = OfferedSnapshot(try builder.snapshot(6))
        let list = #"{"snapshots":[\#(SnapshotNotice(of: offered).text)]}"#
        try await ScriptedServer.with { request in
            let path = request.text.split(separator: " ")[1]
            if request["Accept"] == "text/event-stream" { return .part([]) }
            if path == "/origin/snapshots" {
                guard request["If-None-Match"] == nil else {
                    return .bytes(Publisher.unsigned("304 Not Modified"))
                }
                let fields = ["ETag": "\"1\""]
                return .bytes(
                    Publisher.unsigned("200 OK", fields: fields, body: Data(list.utf8))
                )
            }
            let found = offered.files.first { path.hasSuffix($0.digest.hex) }
            guard let found else { return .bytes(Publisher.unsigned("503 Service Unavailable")) }
            return .bytes(Publisher.unsigned("200 OK", body: Data(found.body)))
        } _: { server, port in
            let leaf = edge()
            try await leaf.following(port) {
                #expect(await leaf.serves(6))
                let polls = server.requests.filter { $0["Prefer"] != nil }
                #expect(polls.first?["Prefer"]?.hasPrefix("wait=") == true)
            }
        }
    }

    @Test(arguments: [
        "data: {}\n\n", "data: nonsense\n\n", "id: 7\n\n", "event: x\ndata:\n\n", "\0\0\n",
        "data: {\"app\":\"harbour\",\"sequence\":-1}\n\n",
    ])
    func `what no origin says is passed over`(message: String) async throws {
        let offered = OfferedSnapshot(try builder.snapshot(8))
        let good = "data: \(SnapshotNotice(of: offered).text)\n\n"
        try await ScriptedServer.with { request in
            let path = request.text.split(separator: " ")[1]
            if request["Accept"] == "text/event-stream" {
                return .part(Array((Self.streamHead + message + good).utf8))
            }
            let found = offered.files.first { path.hasSuffix($0.digest.hex) }
            guard let found else { return .bytes(Publisher.unsigned("503 Service Unavailable")) }
            return .bytes(Publisher.unsigned("200 OK", body: Data(found.body)))
        } _: { _, port in
            let leaf = edge()
            try await leaf.following(port) { #expect(await leaf.serves(8)) }
        }
    }

    @Test func `bytes that are not what their digest says are not taken`() async throws {
        let (offered, other) = (
            OfferedSnapshot(try builder.snapshot(8)), OfferedSnapshot(try builder.snapshot(9))
        )
        let notice = "data: \(SnapshotNotice(of: offered).text)\n\n"
        try await ScriptedServer.with { request in
            if request["Accept"] == "text/event-stream" {
                return .part(Array((Self.streamHead + notice).utf8))
            }
            let path = request.text.split(separator: " ")[1]
            let place = offered.files.firstIndex { path.hasSuffix($0.digest.hex) }
            guard let place else { return .bytes(Publisher.unsigned("503 Service Unavailable")) }
            return .bytes(Publisher.unsigned("200 OK", body: Data(other.files[place].body)))
        } _: { server, port in
            let (leaf, lines) = (edge(), LogLines())
            // Three attempts, each for all files at most, end with a line in the log.
            let twice = 2 * 3 * offered.files.count
            try await leaf.following(port, logger: lines.logger) {
                #expect(
                    await eventually {
                        server.requests.count { $0.text.contains("/origin/digests/") } > twice
                    }
                )
                #expect(leaf.sequences.isEmpty)
                #expect(lines.all.count { $0.contains("snapshot not fetched") } == 1)
            }
        }
    }
}

extension SnapshotNotice {
    fileprivate var text: String { String(decoding: json.canonicalBytes(), as: UTF8.self) }
}
