import FoundationEssentials
import PlimsollDomain
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
import Synchronization
import Testing

/// Whatever depends on the time is decided at the time that is recorded.
@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct WriterClockTests {
    private static let validity = Duration.seconds(60)

    // Goal: an approval that was good when its use was asked for, and is too old when that is
    // recorded, does not count.
    // Method: another process appends in between, so that the writer has to decide again, and by
    // then its clock has gone on.
    @Test func `an approval that expires between request and append is refused`() async throws {
        try await withClock { clock, writer, log in
            let approved = try await writer.approvedDuringFreeze()
            let expiry = approved.advanced(by: Self.validity)
            let middle = approved.advanced(by: .seconds(30))
            let error = try await withWriter(clock: { middle }) { other, _ in
                try await other.thaw()
                clock.read(expiry.advanced(by: .milliseconds(-1)), expiry)
                return await writer.refusalToApply()
            }
            let missing = MissingApproval(kind: .raiseMinimum, requirement: requirement, have: 0)
            #expect(error == .refused(Refusal(.approvalsMissing(change(1), missing))))
            #expect(clock.isRead)
            try await expectFounded(log)
        }
    }

    @Test(arguments: [-1, 0, 1])
    func `a log of what was decided at a border verifies clean`(offset: Int) async throws {
        try await withClock { clock, writer, log in
            let approved = try await writer.approvedDuringFreeze()
            try await writer.thaw()
            let expiry = approved.advanced(by: Self.validity)
            clock.read(expiry.advanced(by: .milliseconds(offset)))
            let error = await writer.refusalToApply()
            #expect((error == nil) == (offset < 0))
            try await expectFounded(log)
        }
    }

    // Goal: what is appended after a connection was made is recorded with the time of then.
    // Method: the writer loses its session, and another one appends while it makes the next.
    @Test func `however long it takes to connect, nothing is recorded with a time before`()
        async throws
    {
        let (clock, door) = (TestClock(), Door())
        let database = try ScratchDatabase.current.connection
        let pool = SessionPool(database, settings: .service) { _ in await door.pass() }
        let writer = Writer(
            log: EventLog(pool),
            logger: .silent,
            pollInterval: .seconds(3600),
            clock: { clock.now }
        )
        try await running(writer, on: pool) {
            _ = try await writer.perform(CommandRequest(failure()))
            door.shut()
            try await endSessions(of: database)
            async let late = writer.perform(CommandRequest(failure(of: slug("quay"))))
            try await poll(until: .seconds(60)) { door.isWaitedAt }
            clock.step(.seconds(60))
            let other = try await withWriter(clock: clock) { other, _ in
                try await other.perform(CommandRequest(failure("No key.")))
            }
            door.open()
            #expect(try await late.recordedAt >= other.recordedAt)
        }
    }

    private func endSessions(of database: ConnectionString) async throws {
        let session = try await Session.open(database)
        try await session.execute(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
            """
        )
        await session.close()
    }

    private func withClock(
        _ body: @escaping @Sendable (ScriptedClock, Writer, EventLog) async throws -> Void
    ) async throws {
        let clock = ScriptedClock()
        // A writer that looks at the log by itself may read the clock in between.
        try await withWriter(pollInterval: .seconds(3600), clock: { clock.now }) { writer, log in
            try await body(clock, writer, log)
        }
    }

    private func expectFounded(_ log: EventLog) async throws {
        var audit = DecisionAudit(hash: testHash)
        for event in try await readSoundLog(log) { try audit.take(event) }
        try audit.end()
    }
}

private let requirement = ApprovalRequirement(1, of: .approver)

/// Stands, but for the times that it was told to be read as next, the last of which it keeps.
private final class ScriptedClock: Sendable {
    private let times = Mutex([Instant(millisecondsSince1970: 1_795_000_000_000)])

    var now: Instant { times.withLock { $0.count == 1 ? $0[0] : $0.removeFirst() } }

    /// Whether only the last is left.
    var isRead: Bool { times.withLock { $0.count == 1 } }

    func read(_ next: Instant...) { times.withLock { $0 = next } }
}

/// Where sessions that begin wait while it is shut.
private final class Door: Sendable {
    private let state = Mutex((isShut: false, isWaitedAt: false))

    var isWaitedAt: Bool { state.withLock(\.isWaitedAt) }

    func shut() { state.withLock { $0.isShut = true } }

    func open() { state.withLock { $0.isShut = false } }

    func pass() async {
        // What does not open in time fails the test by itself.
        try? await poll(until: .seconds(120)) {
            state.withLock { state in
                state.isWaitedAt = state.isShut
                return !state.isShut
            }
        }
    }
}

extension Writer {
    /// An app with a change that is approved and kept waiting; answers when it was approved.
    fileprivate func approvedDuringFreeze() async throws -> Instant {
        try await carryOut(registration())
        for (person, role) in [(root, Role.admin), (alice, .proposer), (bob, .approver)] {
            try await carryOut(
                AdmitPrincipal(person, grants: [RoleGrant(role, in: .all)], by: .system)
            )
        }
        let rule = ApprovalRule(requirements: [requirement], validSeconds: 60)
        let policy = Policy(rules: [.raiseMinimum: rule], graceSeconds: 0)
        try await carryOut(ChangePolicy(of: .all, to: policy, seen: nil, reason: nil, by: root))
        let reason = try Reason(validating: "Launch day")
        try await carryOut(StartFreeze(of: .all, reason: reason, by: root))
        try await carryOut(raise(to: "3.2.0", base: logState.position))
        let approval = approval(of: change(1), seen: digest)
        return try await carryOut(approval).recordedAt
    }

    fileprivate func thaw() async throws {
        try await carryOut(EndFreeze(of: .all, reason: nil, by: root))
    }

    fileprivate func refusalToApply() async -> WriteError? {
        let apply = ApplyChange(change: change(1), seen: digest, by: alice, hash: testHash)
        return await refusal { try await self.perform(CommandRequest(apply)) }
    }

    @discardableResult
    private func carryOut(_ command: some Command) async throws -> Receipt {
        try await perform(CommandRequest(command))
    }

    private var digest: ChangeDigest {
        guard let change = logState.openChange(change(1)), let app = logState.app(change.app) else {
            preconditionFailure("change 1 is open")
        }
        return testHash(change.content(against: app))
    }
}
