import Foundation
import Logging
import PlimsollDocuments
import PlimsollDomain
import PlimsollSystem
import PlimsollTestSupport
import Synchronization
import Testing

@testable import PlimsollEdge

/// An origin that has what a test gives it, and may be away.
private final class StandInOrigin: SnapshotOrigin {
    private struct State {
        var current: (snapshot: FetchedSnapshot, mark: OriginMark)?
        var isAway = false
        var asked: [OriginMark?] = []
    }

    struct Away: Error {}

    private let state = Mutex(State())

    var asked: [OriginMark?] { state.withLock { $0.asked } }

    /// `nil`: nothing has been published.
    func have(_ current: (snapshot: FetchedSnapshot, mark: OriginMark)?) {
        state.withLock { ($0.current, $0.isAway) = (current, false) }
    }

    func goAway() {
        state.withLock { $0.isAway = true }
    }

    func current(of app: AppSlug, unless mark: OriginMark?) async throws -> OriginReading {
        try state.withLock { state -> OriginReading in
            state.asked.append(mark)
            if state.isAway { throw Away() }
            guard let current = state.current else { return .absent }
            return current.mark == mark
                ? .unchanged : .found(current.snapshot, current.mark)
        }
    }
}

/// An origin that has nothing of use, for one app or at all.
private final class FaultyOrigin: SnapshotOrigin {
    struct Fault: FaultOfOneApp {}

    let fault: any Error
    let asked = Mutex<[AppSlug]>([])

    init(_ fault: any Error) { self.fault = fault }

    func current(of app: AppSlug, unless mark: OriginMark?) async throws -> OriginReading {
        asked.withLock { $0.append(app) }
        throw fault
    }
}

@Suite(.timeLimit(.minutes(5))) struct OriginWatcherTests {
    private let path = "/distribution/harbour/availability-ios"

    /// What is published in the fixture's folder, as if it had been fetched.
    private func fetched(
        _ fixture: ExportFixture,
        _ sequence: Int64
    ) throws -> (snapshot: FetchedSnapshot, mark: OriginMark) {
        let folder = fixture.folder(sequence)
        func bytes(_ name: String) throws -> [UInt8] {
            try (folder / name).read(sizeMaximum: 1 << 20)
        }
        let ios = try #require(FileName("availability-ios"))
        let snapshot = FetchedSnapshot(
            of: fixture.app,
            manifest: try bytes(Manifest.fileName),
            signatures: try bytes(Manifest.signaturesFileName),
            bodies: [ios: try bytes(ios.text)]
        )
        return (snapshot, OriginMark("\"\(sequence)\""))
    }

    private func watching(
        _ fixture: ExportFixture,
        _ origin: StandInOrigin,
        _ body: (EdgeService) async throws -> Void
    ) async throws {
        let edge = fixture.edge()
        let key = TrustedKeys.Key(
            id: fixture.signer.keyID,
            app: fixture.app,
            publicKey: fixture.publicKey
        )
        let loader = SnapshotLoader(
            SnapshotLoader.Settings(export: nil, memory: fixture.memory),
            trusting: TrustedKeys([key]),
            edge: edge,
            logger: Logger(label: "edge") { _ in SwiftLogNoOpLogHandler() }
        )
        let watcher = OriginWatcher(
            origin,
            loader,
            interval: .milliseconds(1),
            logger: Logger(label: "edge") { _ in SwiftLogNoOpLogHandler() }
        )
        try await withThrowingTaskGroup { group in
            group.addTask(name: "watcher") { try await watcher.run() }
            defer { group.cancelAll() }
            try await body(edge)
        }
    }

    /// Waits until the origin was asked a few more times.
    private func aFewLooks(_ origin: StandInOrigin) async throws {
        let count = origin.asked.count
        while origin.asked.count < count + 3 { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test(arguments: [true, false])
    func `a round ends with an origin that is away, not with what it has of one app`(
        isAway: Bool
    ) async throws {
        try await ExportFixture.with { fixture in
            let apps = [fixture.app, try fixture.slug("quay")]
            let keys = apps.map {
                TrustedKeys.Key(id: KeyID(UUID()), app: $0, publicKey: fixture.publicKey)
            }
            let origin = FaultyOrigin(isAway ? StandInOrigin.Away() : FaultyOrigin.Fault())
            var rounds = OriginRounds(
                origin,
                fixture.loader(fixture.edge(), trusting: TrustedKeys(keys)),
                logger: Logger(label: "edge") { _ in SwiftLogNoOpLogHandler() }
            )
            await rounds.look(untilFailure: true)
            #expect(origin.asked.withLock(\.count) == (isAway ? 1 : 2))
        }
    }

    @Test func `what is published at the origin is served, and asked for by its mark`()
        async throws
    {
        try await ExportFixture.with { fixture in
            try fixture.publish(7)
            try fixture.publish(8)
            let origin = StandInOrigin()
            try await watching(fixture, origin) { edge in
                try await aFewLooks(origin)
                #expect(edge.table.publications.isEmpty)
                origin.have(try fetched(fixture, 7))
                try await aFewLooks(origin)
                #expect(edge.table.body(path) == "ios harbour 7")
                #expect(origin.asked.last == OriginMark("\"7\""))
                origin.have(try fetched(fixture, 8))
                try await aFewLooks(origin)
                #expect(edge.table.body(path) == "ios harbour 8")
            }
        }
    }

    @Test func `an origin that is away, or empty, takes nothing from phones`() async throws {
        try await ExportFixture.with { fixture in
            try fixture.publish(7)
            let origin = StandInOrigin()
            origin.have(try fetched(fixture, 7))
            try await watching(fixture, origin) { edge in
                try await aFewLooks(origin)
                origin.goAway()
                try await aFewLooks(origin)
                #expect(edge.table.body(path) == "ios harbour 7")
                origin.have(nil)
                try await aFewLooks(origin)
                #expect(edge.table.body(path) == "ios harbour 7")
            }
        }
    }

    @Test func `what is older is refused, after a restart too`() async throws {
        try await ExportFixture.with { fixture in
            try fixture.publish(7)
            try fixture.publish(8)
            let origin = StandInOrigin()
            origin.have(try fetched(fixture, 8))
            try await watching(fixture, origin) { edge in
                try await aFewLooks(origin)
                origin.have(try fetched(fixture, 7))
                try await aFewLooks(origin)
                #expect(edge.table.body(path) == "ios harbour 8")
            }
            try await watching(fixture, origin) { edge in
                try await aFewLooks(origin)
                #expect(edge.table.publications.isEmpty)
            }
        }
    }

    // Goal: who looks at a wrong address is told so, and nobody is accused who publishes late or
    // elsewhere. Method: an origin that has nothing for a while, is away in between, and has
    // nothing again while what it had is served.
    @Test func `an app of which nothing stays there is told of once`() async throws {
        try await ExportFixture.with { fixture in
            try fixture.publish(7)
            let (origin, lines, time) = (StandInOrigin(), LogLines(), TestTime())
            let key = TrustedKeys.Key(
                id: fixture.signer.keyID,
                app: fixture.app,
                publicKey: fixture.publicKey
            )
            let keys = TrustedKeys([key])
            let loader = fixture.loader(fixture.edge(), trusting: keys, at: time)
            var rounds = OriginRounds(origin, loader, logger: lines.logger)
            func told() -> Int { lines.all.count { $0.contains("nothing is there") } }
            for _ in 1...3 { await rounds.look() }
            time.pass(.seconds(9))
            await rounds.look()
            #expect(told() == 0)
            origin.goAway()
            await rounds.look()
            time.pass(.seconds(1))
            for _ in 1...3 {
                origin.have(nil)
                await rounds.look()
                #expect(told() == 1)
                origin.goAway()
                await rounds.look()
            }
            origin.have(try fetched(fixture, 7))
            await rounds.look()
            origin.have(nil)
            for _ in 1...3 {
                await rounds.look()
                time.pass(.seconds(11))
            }
            #expect(told() == 1)
        }
    }

    // Goal: an edge that serves nothing says why, once, and one that serves what is newest is
    // silent of whoever lags, after a restart too. Method: two old states come in turn after the
    // newest, and after a restart before it.
    @Test func `of several origins those that lag are told of once nothing stays served`()
        async throws
    {
        try await ExportFixture.with { fixture in
            for sequence in 6...8 { try fixture.publish(Int64(sequence)) }
            let older = try [6, 7].map { try fetched(fixture, $0).snapshot }
            let newest = try fetched(fixture, 8).snapshot
            let (lines, time) = (LogLines(), TestTime())
            func loader() -> SnapshotLoader {
                severalOrigins(fixture, time, lines)
            }
            func told() -> Int { lines.all.count { $0.contains("snapshot refused") } }
            func look(_ loader: SnapshotLoader, _ snapshot: FetchedSnapshot) async -> Bool {
                await loader.tidyUp()
                return await loader.load(snapshot).isServed
            }
            let before = loader()
            #expect(await look(before, newest))
            for snapshot in older { #expect(await look(before, snapshot)) }
            let healthy = loader()
            for snapshot in older { #expect(await !look(healthy, snapshot)) }
            #expect(await look(healthy, newest))
            time.pass(.seconds(11))
            for snapshot in older { #expect(await look(healthy, snapshot)) }
            #expect(told() == 0)
            let behind = loader()
            for snapshot in older { #expect(await !look(behind, snapshot)) }
            #expect(told() == 0)
            time.pass(.seconds(11))
            for snapshot in older + older { #expect(await !look(behind, snapshot)) }
            #expect(told() == 1)
        }
    }

    // Goal: nobody is told to go back where the newest only waits for its witnesses.
    @Test func `what lags is not told of beside what waits for witnesses`() async throws {
        try await ExportFixture.with { fixture in
            for sequence in 7...8 { try fixture.publish(Int64(sequence)) }
            let older = try fetched(fixture, 7).snapshot
            let newest = try fetched(fixture, 8).snapshot
            let (lines, time) = (LogLines(), TestTime())
            let before = severalOrigins(fixture, time, lines)
            #expect(await before.load(newest).isServed)
            let after = severalOrigins(fixture, time, lines, quorum: 1)
            for _ in 1...3 {
                await after.tidyUp()
                for snapshot in [newest, older] { #expect(await !after.load(snapshot).isServed) }
                time.pass(.seconds(11))
            }
            #expect(lines.all.count { $0.contains("snapshot refused") } == 0)
            #expect(lines.all.count { $0.contains("waits for witnesses") } == 1)
        }
    }

    private func severalOrigins(
        _ fixture: ExportFixture,
        _ time: TestTime,
        _ lines: LogLines,
        quorum: Int = 0
    ) -> SnapshotLoader {
        var settings = SnapshotLoader.Settings(export: nil, memory: fixture.memory)
        settings.hasSeveralOrigins = true
        settings.quorum = quorum
        settings.now = { time.now }
        return SnapshotLoader(
            settings,
            trusting: fixture.trusted,
            edge: fixture.edge(),
            logger: lines.logger
        )
    }

    @Test func `what cannot be trusted is not served, and fetched again until it can`()
        async throws
    {
        try await ExportFixture.with { fixture in
            try fixture.publish(7)
            let origin = StandInOrigin()
            let (good, mark) = try fetched(fixture, 7)
            let bodies = good.bodies.mapValues { $0 + [0x20] }
            let bad = FetchedSnapshot(
                of: good.app,
                manifest: good.manifest,
                signatures: good.signatures,
                bodies: bodies
            )
            origin.have((bad, mark))
            try await watching(fixture, origin) { edge in
                try await aFewLooks(origin)
                #expect(edge.table.publications.isEmpty)
                #expect(origin.asked.allSatisfy { $0 == nil })
                origin.have((good, mark))
                try await aFewLooks(origin)
                #expect(edge.table.body(path) == "ios harbour 7")
            }
        }
    }
}
