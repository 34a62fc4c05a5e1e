import Logging
import Metrics
import PlimsollDomain
import PlimsollMarketplace
import PlimsollTestSupport
import ServiceLifecycle
import Synchronization
import Testing

@testable import PlimsollIngestion

/// The worker fetches what is awaited, and what fails holds up nothing else.
@Suite(.timeLimit(.minutes(5))) struct IngestionWorkerTests {
    private final class RunningWorker: Sendable {
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

    private func parts(
        _ running: RunningWorker,
        failing: PackageID,
        because failure: any Error = Away(),
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    ) throws -> IngestionParts {
        let sample = SampleDistribution()
        let ingested = IngestedPackage(
            manifest: try PackageManifest(parsing: sample.manifest),
            digest: ManifestDigest(of: sample.manifest),
            name: "1/1/",
            isComplete: true
        )
        return IngestionParts(
            awaited: { running.state.withLock { $0.awaited } },
            growth: { running.growth.stream },
            fetch: { package in
                running.state.withLock { $0.fetched.append(package.version) }
                if package.version == failing { throw failure }
                return ingested
            },
            record: { _, package in
                running.state.withLock { state in
                    state.recorded.append(package.version)
                    state.awaited.removeAll { $0 == package }
                }
            },
            logger: logger
        )
    }

    // Method: one is there and fails, one is there, and one is announced later; the end is awaited,
    // not slept for.
    @Test func `what fails steps aside, and what comes later is fetched`() async throws {
        let notebook = MetricsNotebook()
        try await withMetricsFactory(notebook) {
            let running = RunningWorker()
            let names = ["bad", "good", "late"].map(package)
            running.state.withLock { $0.awaited = Array(names.prefix(2)) }
            let worker = IngestionWorker(try parts(running, failing: names[0].version))
            try await withThrowingTaskGroup { group in
                group.addTask(name: "worker") { try await worker.run() }
                while running.recorded.count < 1 { try await Task.sleep(for: .milliseconds(1)) }
                running.announce(names[2])
                while running.recorded.count < 2 { try await Task.sleep(for: .milliseconds(1)) }
                group.cancelAll()
                try await group.waitForAll()
            }
            #expect(running.recorded == names.dropFirst().map(\.version))
            #expect(running.state.withLock { $0.fetched } == names.map(\.version))
        }
        #expect(notebook["plimsoll.packages.failed"] == 1)
        #expect(notebook["plimsoll.packages.ingested"] == 2)
    }

    @Test func `what failed in another way before is no reason to give up sooner`() {
        var postponement = IngestionWorker.Postponement()
        for _ in 1...20 { postponement = postponement.after(Away()) }
        let unknown = IngestionFailure.unknown("versions/v-1")
        for _ in 1...9 {
            postponement = postponement.after(unknown)
            #expect(postponement.until != nil)
        }
        #expect(postponement.after(unknown).until == nil)
    }

    @Test func `what was replaced is given up, and says so once`() async throws {
        let (running, lines) = (RunningWorker(), LogLines())
        let names = ["bad", "late", "later"].map(package)
        running.state.withLock { $0.awaited = Array(names.prefix(1)) }
        let worker = IngestionWorker(
            try parts(
                running,
                failing: names[0].version,
                because: IngestionFailure.notReady("REPLACED"),
                logger: lines.logger
            )
        )
        try await withThrowingTaskGroup { group in
            group.addTask(name: "worker") { try await worker.run() }
            for (place, name) in names.dropFirst().enumerated() {
                running.announce(name)
                while running.recorded.count <= place {
                    try await Task.sleep(for: .milliseconds(1))
                }
            }
            group.cancelAll()
            try await group.waitForAll()
        }
        #expect(running.state.withLock { $0.fetched } == names.map(\.version))
        #expect(lines.all.count { $0.contains("a package is given up") } == 1)
    }

    // Method: the record grows a hundred times, beginning at once as the writer's does, and at the
    // fiftieth look there is something else; whoever returns for less begins to listen more often.
    @Test func `what is given up wakes nobody`() async throws {
        let running = RunningWorker()
        let (bad, late) = (package("bad"), package("late"))
        running.state.withLock { $0.awaited = [bad] }
        let looks = Mutex(0)
        let listens = Mutex(0)
        var parts = try parts(
            running,
            failing: bad.version,
            because: IngestionFailure.notReady("REPLACED")
        )
        parts.awaited = {
            let look = looks.withLock { looks in
                looks += 1
                return looks
            }
            return running.state.withLock { state in
                if look == 50 { state.awaited.append(late) }
                return state.awaited
            }
        }
        parts.growth = {
            listens.withLock { $0 += 1 }
            return AsyncStream { seat in for _ in 0..<100 { seat.yield(.start) } }
        }
        let worker = IngestionWorker(parts)
        try await withThrowingTaskGroup { group in
            group.addTask(name: "worker") { try await worker.run() }
            while running.recorded.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
            group.cancelAll()
            try await group.waitForAll()
        }
        #expect(running.recorded == [late.version])
        #expect(listens.withLock { $0 } <= 2)
    }

    @Test func `what may pass by itself is tried for ever`() {
        #expect(IngestionFailure.notReady("PROCESSING").attemptsMaximum == nil)
        #expect(IngestionFailure.answered(status: 503, "x").attemptsMaximum == nil)
        #expect(IngestionFailure.unknown("x").attemptsMaximum == 10)
        #expect(IngestionFailure.notReady("REPLACED").attemptsMaximum == 1)
    }
}
