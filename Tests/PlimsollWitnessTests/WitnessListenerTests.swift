import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import NIOPosix
import PlimsollHTTP
import PlimsollLog
import Testing

@testable import PlimsollWitness

/// The statuses and bodies of c2sp.org/tlog-witness.
@Suite(.timeLimit(.minutes(5))) struct WitnessListenerTests {
    @Test func `a checkpoint is cosigned, then what extends it`() async throws {
        let tree = try PublishedTree()
        try await listening(to: tree) { ask, _ in
            for (old, new) in [(0, 3), (3, 3), (3, 300), (300, 301)] {
                let signed = try tree.publish(entries(1...new))
                let answer = try await ask(request(signed, from: old, tree))
                #expect(answer.status == .ok)
                #expect(answer.type == "text/plain; charset=utf-8")
                let cosigned = try signed.adding(NoteSignature.parse(answer.body))
                #expect(cosigned.note.signatures.count == 2)
            }
        }
    }

    @Test func `who asks from another size is told the right one`() async throws {
        let tree = try PublishedTree()
        try await listening(to: tree) { ask, _ in
            let first = try tree.publish(entries(1...5))
            _ = try await ask(request(first, from: 0, tree))
            let second = try tree.publish(entries(1...9))
            for old in [0, 4, 6] {
                let answer = try await ask(request(second, from: old, tree))
                #expect(answer.status == .conflict)
                #expect(answer.type == "text/x.tlog.size")
                #expect(String(decoding: answer.body, as: UTF8.self) == "5\n")
            }
        }
    }

    @Test func `a second history of one length is refused, kept, and an alarm`() async throws {
        let tree = try PublishedTree()
        try await listening(to: tree) { ask, alarms in
            _ = try await ask(request(tree.publish(entries(1...5)), from: 0, tree))
            let other = try tree.publish(entries(1...5, "other"))
            let answer = try await ask(request(other, from: 5, tree))
            #expect(answer.status == .conflict)
            #expect(String(decoding: answer.body, as: UTF8.self) == "5\n")
            let alarm = await alarms.first { _ in true }
            guard case .forked(other.checkpoint.root, _, _) = alarm else {
                Issue.record("\(String(describing: alarm))")
                return
            }
        }
    }

    @Test func `what is wrong with a request has its own status`() async throws {
        let (tree, stranger) = (try PublishedTree(), try PublishedTree())
        let elsewhere = try PublishedTree("elsewhere.example.com")
        try await listening(to: tree) { ask, _ in
            _ = try await ask(request(tree.publish(entries(1...5)), from: 0, tree))
            let forged = try request(stranger.publish(entries(1...9)), from: 5, stranger)
            let foreign = try request(elsewhere.publish(entries(1...9)), from: 5, elsewhere)
            let signed = try tree.publish(entries(1...9))
            let good = try request(signed, from: 5, tree)
            let rewritten = try request(
                tree.publish(["other"] + entries(2...9)),
                from: 5,
                tree
            )
            let shrinking = try Array("old 9\n\n".utf8) + tree.publish(entries(1...8)).bytes
            let twins: [(body: [UInt8], status: Int)] = [
                ([], 400), (Array("old 5\n".utf8), 400), (Array(good.dropLast()), 400),
                (Array("old 05\n\n".utf8) + signed.bytes, 400),
                ([UInt8](repeating: 0x61, count: 1 << 20), 400),
                (shrinking, 400), (forged, 403), (foreign, 404), (rewritten, 422),
                (Array("old 5\n\n".utf8) + signed.bytes, 422),
            ]
            for twin in twins {
                let answer = try await ask(twin.body)
                #expect(answer.status.code == twin.status, "\(twin.body.prefix(20))")
                #expect(!answer.body.isEmpty)
            }
            #expect(try await ask(good).status == .ok)
        }
    }

    @Test func `of many who ask at once one extends, the others are told`() async throws {
        let tree = try PublishedTree()
        let first = try request(tree.publish(entries(1...5)), from: 0, tree)
        // Beforehand: who lets a connection wait for ten seconds is let go.
        let bodies = try (6...13).map { size in
            try request(tree.publish(entries(1...size)), from: 5, tree)
        }
        try await listening(to: tree) { ask, _ in
            _ = try await ask(first)
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for body in bodies { group.addTask { try await ask(body).status.code } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.filter { $0 == 200 }.count == 1)
            #expect(statuses.filter { $0 == 409 }.count == 7)
        }
    }

    // Goal: nobody keeps others from a witness by connecting to it. Method: more connections than it
    // has places for say nothing; it answers, and those beyond its places are closed.
    @Test func `a crowd that says nothing keeps nobody out`() async throws {
        let tree = try PublishedTree()
        let beyond = 44
        try await withListener(to: tree) { client, _ in
            let port = try #require(client.port)
            let (closed, close) = AsyncStream.makeStream(of: Void.self)
            var crowd: [any Channel] = []
            for _ in 0..<WitnessListener.places.strangers + beyond {
                let channel = try await ClientBootstrap(
                    group: .singletonMultiThreadedEventLoopGroup
                )
                .connect(host: "127.0.0.1", port: port).get()
                channel.closeFuture.whenComplete { _ in close.yield() }
                crowd.append(channel)
            }
            let body = ByteBuffer(bytes: try request(tree.publish(entries(1...3)), from: 0, tree))
            // The one that was there before the crowd is of it too.
            let answer = try await TestClient.withClient(host: "127.0.0.1", port: port) {
                try await $0.post("/add-checkpoint", body: body)
            }
            #expect(answer.status == .ok)
            for await _ in closed.prefix(beyond) {}
            for channel in crowd { channel.close(promise: nil) }
        }
    }

    private struct Answer {
        let status: HTTPResponse.Status
        let type: String?
        let body: [UInt8]
    }

    private func listening(
        to tree: PublishedTree,
        _ body:
            @escaping @Sendable (
                _ ask: @escaping @Sendable ([UInt8]) async throws -> Answer,
                AsyncStream<WitnessAlarm>
            ) async throws -> Void
    ) async throws {
        try await withListener(to: tree) { client, alarms in
            try await body({ try await ask(client, $0) }, alarms)
        }
    }

    private func withListener(
        to tree: PublishedTree,
        _ body:
            @escaping @Sendable (
                any TestClientProtocol,
                AsyncStream<WitnessAlarm>
            ) async throws -> Void
    ) async throws {
        try await WatchHouse.with { house in
            try await house.watch(tree) { witness in
                let (alarms, alarm) = AsyncStream.makeStream(of: WitnessAlarm.self)
                let listener = WitnessListener(
                    address: WitnessAddress(host: "127.0.0.1", port: 0),
                    witness: witness,
                    alarms: alarm,
                    logger: Logger(label: "witness") { _ in SwiftLogNoOpLogHandler() }
                )
                try await listener.application.test(.live) { try await body($0, alarms) }
            }
        }
    }

    private func ask(_ client: any TestClientProtocol, _ bytes: [UInt8]) async throws -> Answer {
        try await client.execute(
            uri: "/add-checkpoint",
            method: .post,
            body: ByteBuffer(bytes: bytes)
        ) { response in
            Answer(
                status: response.status,
                type: response.headers[.contentType],
                body: Array(response.body.readableBytesView)
            )
        }
    }
}
