import Foundation
import Glibc
import PlimsollDocuments
import PlimsollDomain
import PlimsollSystem
import PlimsollPostgres
import PlimsollTestSupport
import Synchronization
import Testing

@testable import PlimsollPublishing

/// Goal: whatever step of a publication the process dies at, phones are served the old snapshot
/// or the new one, whole, and a start afterwards changes no byte of what is whole.
///
/// Method: a process of its own publishes a change and is killed at its n-th fault point, for
/// every n that a run passes; then what is left is checked, and an exporter started on it.
@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(15)))
struct CrashTests {
    @Test func `a kill at any step leaves the old or the new snapshot whole`() async throws {
        let points = try await pointsPassed(.change)
        #expect(points.contains("export.snapshot.signed"))
        #expect(points.contains("files.publish.file-synchronized"))
        #expect(points.contains("export.current.switched"))
        #expect(points.contains("export.current.durable"))
        for (number, point) in zip(1..., points) {
            try await ExportHouse.with { house in
                try await house.exportToTheEnd()
                let old = try await house.served()
                let scene = try await Scene(house, .change, killAt: number)
                await #expect(processExitsWith: .signal(SIGKILL), "\(point)") {
                    [scene = scene as Scene] in
                    try await scene.play()
                }
                try await check(house, old, "killed at \(point)")
            }
        }
    }

    @Test func `a kill at any step of the first publication is made up for`() async throws {
        let points = try await pointsPassed(.first)
        #expect(points.contains("export.keys.published"))
        for (number, point) in zip(1..., points) {
            try await ExportHouse.with { house in
                let scene = try await Scene(house, .first, killAt: number)
                await #expect(processExitsWith: .signal(SIGKILL), "\(point)") {
                    [scene = scene as Scene] in
                    try await scene.play()
                }
                let found = try? await house.served()
                try await house.exportToTheEnd()
                #expect(try await self.isNew(house.served(), house), "killed at \(point)")
                if let found { #expect(try await house.served() == found, "killed at \(point)") }
                let left = try house.folder.root.entries()
                #expect(left == [".terms", "current", "keys", "keys.json", "snapshots"])
            }
        }
    }

    @Test func `an error at any step is got over, and nothing half is served`() async throws {
        for point in Set(try await pointsPassed(.change)) {
            try await ExportHouse.with { house in
                try await house.exportToTheEnd()
                let old = try await house.served()
                await house.writer.change { $0.apply((.ios, dotted("3.2.0"))) }
                let hasFailed = Atomic(false)
                try await withFault(
                    at: point,
                    code: ENOSPC,
                    onFailing: { hasFailed.store(true, ordering: .relaxed) },
                    {
                        try await house.exporting { _ in
                            try await eventually { hasFailed.load(ordering: .relaxed) }
                        }
                    }
                )
                let served = try await house.served()
                let isNew = try await isNew(served, house)
                #expect(served == old || isNew, "failed at \(point)")
                try await house.exportToTheEnd()
                #expect(try await self.isNew(house.served(), house))
            }
        }
    }

    /// The names of all points that a publication passes, in order.
    private func pointsPassed(_ act: Scene.Act) async throws -> [String] {
        let names = Mutex([String]())
        try await ExportHouse.with { house in
            if act == .change { try await house.exportToTheEnd() }
            let scene = try await Scene(house, act, killAt: .max)
            try await scene.play { name in names.withLock { $0.append(name) } }
        }
        return names.withLock { $0 }
    }

    private func check(
        _ house: ExportHouse,
        _ old: VerifiedSnapshot,
        _ comment: Comment
    ) async throws {
        await house.writer.change { $0.apply((.ios, dotted("3.2.0"))) }
        let served = try await house.served()
        let isNew = try await isNew(served, house)
        #expect(served == old || isNew, comment)
        let sequence = try #require(await house.writer.log.edition()?.order.sequence)
        let found =
            try house.store.has(sequence, of: harbour)
            ? try await house.snapshot(sequence) : nil
        try await house.exportToTheEnd()
        #expect(try await self.isNew(house.served(), house), comment)
        if let found { #expect(try await house.served() == found, comment) }
        #expect(try await house.snapshot(old.manifest.manifest.sequence) == old, comment)
        let left = try house.folder.snapshots(of: harbour).entries()
        #expect(left.allSatisfy { !$0.hasPrefix(".") }, comment)
    }

    private func isNew(_ snapshot: VerifiedSnapshot, _ house: ExportHouse) async throws -> Bool {
        SnapshotPlan(try #require(await house.writer.log.edition())).describes(snapshot)
    }
}

extension ExportHouse {
    fileprivate func snapshot(_ sequence: SnapshotSequence) async throws -> VerifiedSnapshot {
        try store.snapshot(sequence, of: harbour, trusting: await writer.log.trustedKeys)
    }
}

/// A publication, to be played in another process.
private struct Scene: Codable {
    enum Act: Codable {
        /// The first one of an app.
        case first
        /// That of a change, after the first one.
        case change
    }

    let act: Act
    let root: String
    let database: String
    let keyID: String
    let publicKey: [UInt8]
    let killAt: Int

    init(_ house: ExportHouse, _ act: Act, killAt: Int) async throws {
        let key = try #require(await house.writer.log.edition()?.activeKeys.first)
        root = house.folder.root.parent.string
        database = try ScratchDatabase.current.name
        keyID = key.id.text
        publicKey = key.publicKey
        self.act = act
        self.killAt = killAt
    }

    /// Publishes, unless it is killed on the way.
    func play(_ passing: @escaping @Sendable (String) -> Void = { _ in }) async throws {
        let house = try house()
        if act == .change {
            // Takes up what is published, which passes points that are not to be counted.
            try await house.exporting(patient(house)) { _ in try await house.waitUntilPublished() }
            await house.writer.change { $0.apply((.ios, dotted("3.2.0"))) }
        }
        let count = Atomic(0)
        let killAt = killAt
        let injection: FaultPoint.Injection = { name throws(FileError) in
            // The sweeper works beside the publication, in its own time.
            guard Task.name != SnapshotSweeper.task else { return }
            passing(name)
            if count.add(1, ordering: .relaxed).newValue == killAt { kill(getpid(), SIGKILL) }
        }
        try await FaultPoint.$injection.withValue(injection) {
            try await house.exporting(patient(house)) { _ in try await house.waitUntilPublished() }
        }
    }

    private func house() throws -> ExportHouse {
        let server = ProcessInfo.processInfo.environment[ScratchDatabase.environmentVariable]
        let id = try #require(KeyID(keyID))
        var log = LogBuilder()
        try log.register(KeyRecord(id: id, app: harbour, publicKey: publicKey))
        return ExportHouse(
            folder: ExportFolder(Path(root) / "export"),
            keys: SigningKeys(folder: Path(root) / "keys"),
            writer: StandInWriter(log),
            connection: ConnectionString(try #require(server)).replacing(database: database)
        )
    }

    /// It looks only when it is woken or begins, so the points it passes are always the same.
    private func patient(_ house: ExportHouse) -> Exporter {
        house.exporter(scrub: .seconds(60))
    }
}
