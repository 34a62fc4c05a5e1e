import Logging
import PlimsollDomain
import PlimsollMarketplace
import PlimsollTestSupport
import ServiceLifecycle
import Synchronization
import Testing

@testable import PlimsollIngestion

/// The worker fetches what is awaited, and what fails holds up nothing else.
@Suite(.timeLimit(.minutes(1))) struct IngestionWorkerTests {
    private final class Desk: Sendable {
        struct State {
            var awaited: [AwaitedPackage] = []
            var fetched: [PackageID] = []
            var recorded: [PackageID] = []
        }

        let state = Mutex(State())
        let growth = AsyncStream<Position>.makeStream(bufferingPolicy: .bufferingNewest(1))

        var recorded: [PackageID] { state.withLock { $0.recorded } }

        func announce(_ package: AwaitedPackage) {
            state.withLock { $0.awaited.append(package) }
            growth.continuation.yield(.start)
        }
    }

    private struct Away: Error {}

    private func package(_ name: String) -> AwaitedPackage {
        AwaitedPackage(
            app: slug("harbour"),
            id: packageID("p-\(name)"),
            version: packageID("v-\(name)"),
            items: [item(7)]
        )
    }

    private func parts(_ desk: Desk, failing: PackageID) throws -> IngestionParts {
        let sample = SampleDistribution()
        let ingested = IngestedPackage(
            manifest: try PackageManifest(parsing: sample.manifest),
            digest: ManifestDigest(of: sample.manifest),
            name: "1/1/",
            isComplete: true
        )
        return IngestionParts(
            awaited: { desk.state.withLock { $0.awaited } },
            growth: { desk.growth.stream },
            fetch: { package in
                desk.state.withLock { $0.fetched.append(package.version) }
                if package.version == failing { throw Away() }
                return ingested
            },
            record: { _, package in
                desk.state.withLock { state in
                    state.recorded.append(package.version)
                    state.awaited.removeAll { $0 == package }
                }
            },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    // Method: one is there and fails, one is there, and one is announced later; the end is awaited,
    // not slept for.
    @Test func `what fails steps aside, and what comes later is fetched`() async throws {
        let desk = Desk()
        let names = ["bad", "good", "late"].map(package)
        desk.state.withLock { $0.awaited = Array(names.prefix(2)) }
        let worker = IngestionWorker(try parts(desk, failing: names[0].version))
        try await withThrowingTaskGroup { group in
            group.addTask(name: "worker") { try await worker.run() }
            while desk.recorded.count < 1 { await Task.yield() }
            desk.announce(names[2])
            while desk.recorded.count < 2 { await Task.yield() }
            group.cancelAll()
            try await group.waitForAll()
        }
        #expect(desk.recorded == names.dropFirst().map(\.version))
        #expect(desk.state.withLock { $0.fetched } == names.map(\.version))
    }
}
