import Foundation
import Glibc
import PlimsollPublishing
import PlimsollSystem
import PlimsollLog
import PlimsollPostgres
import PlimsollTestSupport
import Synchronization
import Testing

/// Goal: whatever step of publishing a checkpoint the process dies at, what is published is one
/// whole log that anybody can check, and a start goes on from it.
///
/// Method: a process of its own publishes and is killed at its n-th fault point, for every n that
/// a run passes; then what is left is checked, and published on.
@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(15)))
struct LogCrashTests {
    /// The second publication makes a tile full, so that partial ones are replaced.
    private static let (before, after) = (255, 2)

    @Test func `a kill at any step leaves a valid log`() async throws {
        let points = try await pointsPassed()
        for step in ["tiles", "recorded", "switched", "swept"] {
            #expect(points.contains("export.log.\(step)"))
        }
        for (number, point) in zip(1..., points) {
            try await LogHouse.with { house in
                try await reset(house)
                let old = try await house.publish()
                try await house.append(Self.after)
                let scene = try LogScene(house, killAt: number)
                await #expect(processExitsWith: .signal(SIGKILL), "\(point)") {
                    [scene = scene as LogScene] in
                    try await scene.play()
                }
                let left = try await house.audited()
                let new = try await house.tree().root
                #expect(left == old || left == new, "killed at \(point)")
                #expect(try await house.publish() == new, "killed at \(point)")
                #expect(try await house.audited() == new, "killed at \(point)")
                #expect(
                    try house.files() == [
                        "checkpoint", "key", "tile/0/000", "tile/0/001.p/1", "tile/1/000.p/1",
                    ],
                    "killed at \(point)"
                )
            }
        }
    }

    @Test func `an error at any step is got over`() async throws {
        for point in Set(try await pointsPassed()) {
            try await LogHouse.with { house in
                try await reset(house)
                let old = try await house.publish()
                try await house.append(Self.after)
                let new = try await house.tree().root
                await #expect(throws: (any Error).self, "\(point)") {
                    try await withFault(at: point, code: ENOSPC) { try await house.publish() }
                }
                let left = try await house.audited()
                #expect(left == old || left == new, "failed at \(point)")
                #expect(try await house.publish() == new, "failed at \(point)")
            }
        }
    }

    private func pointsPassed() async throws -> [String] {
        let names = Mutex([String]())
        try await LogHouse.with { house in
            try await reset(house)
            try await house.publish()
            try await house.append(Self.after)
            try await LogScene(house, killAt: .max).play { name in
                names.withLock { $0.append(name) }
            }
        }
        return names.withLock { $0 }
    }

    /// The database is that of the whole test.
    private func reset(_ house: LogHouse) async throws {
        try await house.asOwner(
            "ALTER TABLE log.event DISABLE TRIGGER ALL",
            "ALTER TABLE log.checkpoint DISABLE TRIGGER ALL",
            "DELETE FROM log.event",
            "DELETE FROM log.checkpoint"
        )
        try await house.append(Self.before)
    }
}

/// A publication, to be played in another process.
private struct LogScene: Codable {
    let root: String
    let database: String
    let killAt: Int

    init(_ house: LogHouse, killAt: Int) throws {
        root = house.folder.root.parent.string
        database = try ScratchDatabase.current.name
        self.killAt = killAt
    }

    /// Publishes, unless it is killed on the way.
    func play(_ passing: @escaping @Sendable (String) -> Void = { _ in }) async throws {
        let server = ProcessInfo.processInfo.environment[ScratchDatabase.environmentVariable]
        let house = LogHouse(
            root: Path(root),
            connection: ConnectionString(try #require(server)).replacing(database: database)
        )
        let passed = Mutex(0)
        let killAt = killAt
        let injection: FaultPoint.Injection = { name throws(FileError) in
            passing(name)
            let count = passed.withLock { passed in
                passed += 1
                return passed
            }
            if count == killAt { kill(getpid(), SIGKILL) }
        }
        try await FaultPoint.$injection.withValue(injection) { _ = try await house.publish() }
    }
}
