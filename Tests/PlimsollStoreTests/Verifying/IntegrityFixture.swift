import Logging
import PlimsollDomain
import PlimsollPostgres
import PlimsollTestSupport
import Testing

@testable import PlimsollStore

/// A check over what a writer and projectors at work have made, and what it tells.
struct IntegrityFixture {
    let base: ProjectionFixture
    let lines = LogLines()
    let progress = VerifierProgress()

    /// Two changes that were applied, one that waits, and a snapshot: all folded.
    static func with(_ body: (IntegrityFixture) async throws -> Void) async throws {
        try await ProjectionFixture.with { base in
            try await base.letAliceIn()
            try await base.applyOneChange(to: "3.1.0")
            try await base.applyOneChange(to: "3.2.0")
            try await base.perform(publication(of: base.writer.logState.position))
            try await base.perform(raise(to: "3.3.0", base: base.writer.logState.position))
            try await base.catchUp()
            try await body(IntegrityFixture(base: base))
        }
    }

    /// With small strides, so that even a short log takes many.
    func check(
        stride: Int = 3,
        pause: @escaping @Sendable (Int, Duration) async throws -> Void = { _, _ in }
    ) -> IntegrityCheck {
        IntegrityCheck(
            log: base.log,
            pool: base.pool,
            memory: base.writer.memory,
            progress: progress,
            logger: lines.logger,
            stride: stride,
            pause: pause
        )
    }

    /// All rows of the live generation, as people are answered from them.
    func digest() async throws -> String {
        let end = base.writer.logState.position.rawValue
        let row = try await base.pool.first(
            """
            SELECT concat_ws(' ', projection.event_digest(generation, -1000, \(end + 1000)),
                projection.field_digest(generation, -1000, \(end + 1000)),
                projection.state_digest(generation), position)
            FROM projection.live JOIN projection.state USING (generation)
            """
        )
        return try #require(row).value(at: 0)
    }

    /// As somebody who has the service's own login.
    func alter(_ sql: StaticString) async throws {
        let session = try await openServiceSession()
        _ = try await session.execute("\(raw: sql)")
        await session.close()
    }
}

/// A snapshot of what was live at a position.
func publication(of position: Position, digest: Character = "a") throws -> RecordPublication {
    let record = PublicationRecord(
        sequence: SnapshotSequence(orderedBy: position),
        position: position,
        manifestDigest: String(repeating: digest, count: 64),
        keys: [try #require(KeyID("0192f3a0-0000-7000-8000-000000000001"))]
    )
    return RecordPublication(app: harbour, event: .snapshotPublished(record))
}
