import Logging
import PlimsollDocuments
import PlimsollSystem
import PlimsollTestSupport
import ServiceLifecycle
import Testing

@testable import PlimsollEdge

/// An edge that stands alone beside an export folder.
@Suite(.timeLimit(.minutes(5))) struct WatcherTests {
    private let path = "/distribution/availability-ios"

    @Test func `what is published reaches the wire and a restart needs nothing but the disk`()
        async throws
    {
        try await ExportFixture.with { fixture in
            try fixture.publish(7, isDefault: true)
            try await run(fixture) { address in
                try await wait(for: "ios harbour 7", at: address)
                try fixture.publish(8, isDefault: true)
                try await wait(for: "ios harbour 8", at: address)
                // Whatever happens to the folder, phones are answered.
                try fixture.export.removeTree()
                try await wait(for: "ios harbour 8", at: address)
            }
            try fixture.publish(9, isDefault: true)
            try await run(fixture) { address in
                try await wait(for: "ios harbour 9", at: address)
            }
        }
    }

    @Test func `an app of which nothing lies in the folder is told of once`() async throws {
        try await ExportFixture.with { fixture in
            let key = TrustedKeys.Key(
                id: fixture.signer.keyID,
                app: fixture.app,
                publicKey: fixture.publicKey
            )
            let (lines, looks) = (LogLines(), AsyncStream.makeStream(of: Void.self))
            let time = TestTime()
            let watcher = ExportWatcher(
                fixture.loader(fixture.edge(), trusting: TrustedKeys([key]), at: time),
                interval: .milliseconds(1),
                logger: lines.logger
            ) {
                time.pass(.seconds(4))
                looks.continuation.yield()
            }
            await withThrowingTaskGroup { group in
                group.addTask(name: "watcher") { try await watcher.run() }
                var count = 0
                for await _ in looks.stream {
                    count += 1
                    if count > 6 { break }
                }
                group.cancelAll()
            }
            #expect(lines.all.count { $0.contains("app.slug=harbour") } == 1)
        }
    }

    private func run(
        _ fixture: ExportFixture,
        _ body: (EdgeAddress) async throws -> Void
    ) async throws {
        let edge = fixture.edge()
        let logger = Logger(label: "edge")
        let watcher = ExportWatcher(
            fixture.loader(edge),
            interval: .milliseconds(5),
            logger: logger
        )
        let group = ServiceGroup(services: [edge, watcher], logger: logger)
        try await withThrowingDiscardingTaskGroup { tasks in
            tasks.addTask(name: "edge") { try await group.run() }
            do {
                try await body(try await edge.address())
            } catch {
                await group.triggerGracefulShutdown()
                throw error
            }
            await group.triggerGracefulShutdown()
        }
    }

    /// Asks until the body is there; the suite's time limit ends it otherwise.
    private func wait(for body: String, at address: EdgeAddress) async throws {
        try await RawConnection.with(address) { connection in
            var text: String?
            while text != body {
                try await connection.send(EdgeFixture.get(path))
                text = try #require(try await connection.answer()).text
            }
        }
    }
}
