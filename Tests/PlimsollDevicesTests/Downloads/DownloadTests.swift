import Foundation
import Metrics
import PlimsollDevices
import PlimsollDomain
import PlimsollMarketplace
import PlimsollPostgres
import PlimsollStore
import PlimsollSystem
import PlimsollTestSupport
import Testing

/// First downloads and later ones, as the database remembers them.
@Suite(.scratchDatabase, .timeLimit(.minutes(2))) struct DownloadTests {
    private let one = item(10_737_747_186)
    private let two = item(.max)
    private let clock = TestClock(standingAt: testNow)
    private static let day: Duration = .seconds(86_400)

    private func withHistory(
        retention: Duration = DownloadHistory.usualRetention,
        _ body: (DownloadHistory, Session) async throws -> Void
    ) async throws {
        try await StoreSchema.prepare(ScratchDatabase.current.connection)
        let session = try await Session.open(ScratchDatabase.current.connection, settings: .service)
        try await withFolder { folder in
            let key = try AccountKey(at: folder / AccountKey.fileName)
            try await body(DownloadHistory(session, key, retention: retention), session)
        }
        await session.close()
    }

    private func types(_ history: DownloadHistory?) -> DownloadTypes {
        types(history, timeout: .seconds(20))
    }

    private func types(_ history: DownloadHistory?, timeout: Duration) -> DownloadTypes {
        DownloadTypes(history, timeout: timeout, logger: quiet) { [clock] in clock.now }
    }

    private func sweeper(of history: DownloadHistory) -> DownloadSweeper {
        DownloadSweeper(history, logger: quiet) { [clock] in clock.now }
    }

    private func restored(
        _ types: DownloadTypes,
        _ items: Set<AppleItemID>,
        by account: String? = "person-1",
        at now: Instant = testNow
    ) async -> Set<AppleItemID> {
        setClock(to: now)
        return await types.redownloads(of: items, for: .restore, of: account)
    }

    private func setClock(to now: Instant) {
        let step = now.millisecondsSince1970 - clock.now.millisecondsSince1970
        clock.step(.milliseconds(step))
    }

    @Test func `the second time is a redownload, of that app and that account`() async throws {
        try await withHistory { (history, _) async throws in
            let types = types(history)
            #expect(await restored(types, [one]).isEmpty)
            let later = testNow.advanced(by: Self.day)
            #expect(await restored(types, [one, two], at: later) == [one])
            #expect(await restored(types, [one], by: "person-2", at: later).isEmpty)
            let muchLater = later.advanced(by: Self.day)
            #expect(await restored(types, [one, two], at: muchLater) == [one, two])
        }
    }

    @Test func `whoever tries again at once tries the same download`() async throws {
        try await withHistory { (history, _) async throws in
            let types = types(history)
            for minutes in [0, 1, 20, 59] {
                let now = testNow.advanced(by: .seconds(minutes * 60))
                #expect(await restored(types, [one], at: now).isEmpty)
            }
            #expect(await restored(types, [one], at: testNow.advanced(by: .seconds(3601))) == [one])
        }
    }

    @Test func `an update is none, and is not remembered`() async throws {
        try await withHistory { (history, session) async throws in
            let types = types(history)
            #expect(await restored(types, [one]).isEmpty)
            setClock(to: testNow.advanced(by: Self.day))
            let updated = await types.redownloads(
                of: [one, two],
                for: .updates,
                of: "person-1"
            )
            #expect(updated.isEmpty)
            #expect(!types.needsLook(for: .updates, of: "person-1"))
            #expect(try await rows(session) == 1)
        }
    }

    @Test func `without an account or a database there are first downloads only`() async throws {
        try await withHistory { (history, session) async throws in
            #expect(await restored(types(history), [one], by: nil).isEmpty)
            #expect(await restored(types(nil), [one]).isEmpty)
            #expect(!types(nil).needsLook(for: .restore, of: "person-1"))
            #expect(try await rows(session) == 0)
        }
    }

    @Test func `no account stands in the database, and another key knows none`() async throws {
        try await withHistory { (history, session) async throws in
            #expect(await restored(types(history), [one]).isEmpty)
            let found = try await session.query("SELECT account FROM device.download")
            let hash = try found[0].value(at: 0, as: [UInt8].self)
            #expect(hash.count == 32)
            try await withFolder { folder in
                let other = DownloadHistory(session, try AccountKey(at: folder / "key"))
                let later = testNow.advanced(by: Self.day)
                #expect(await restored(types(other), [one], at: later).isEmpty)
            }
        }
    }

    @Test func `an account is forgotten on request, and no other with it`() async throws {
        try await withHistory { (history, _) async throws in
            let types = types(history)
            #expect(await restored(types, [one, two]).isEmpty)
            #expect(await restored(types, [one], by: "person-2").isEmpty)
            #expect(try await history.forget("person-1") == 2)
            #expect(try await history.forget("person-1") == 0)
            let later = testNow.advanced(by: Self.day)
            #expect(await restored(types, [one, two], at: later).isEmpty)
            #expect(await restored(types, [one], by: "person-2", at: later) == [one])
        }
    }

    @Test func `what is old is forgotten, and counts no more before that`() async throws {
        try await withHistory(retention: Self.day) { (history, session) async throws in
            let types = types(history)
            #expect(await restored(types, [one]).isEmpty)
            let after = testNow.advanced(by: Self.day + .seconds(1))
            #expect(await restored(types, [one], at: after).isEmpty)
            let sweeper = sweeper(of: history)
            await sweeper.sweep()
            #expect(try await rows(session) == 1)
            clock.step(Self.day + .seconds(1))
            await sweeper.sweep()
            #expect(try await rows(session) == 0)
        }
    }

    // Goal: a clock that alone is years ahead, as after a bad start of a machine, erases nothing.
    @Test func `while the clocks are in doubt nothing is too old`() async throws {
        try await withHistory { (history, session) async throws in
            #expect(await restored(types(history), [one]).isEmpty)
            clock.step(DownloadHistory.usualRetention * 10)
            let isSwept = await DownloadSweeper(history, logger: quiet) { nil }.sweep()
            #expect(!isSwept)
            #expect(try await rows(session) == 1)
            #expect(await sweeper(of: history).sweep())
            #expect(try await rows(session) == 0)
        }
    }

    @Test func `more than one sweep takes is swept`() async throws {
        try await withHistory { (history, session) async throws in
            let items = Set((1...2500).map { item(UInt64($0)) })
            #expect(await restored(types(history), items).isEmpty)
            #expect(try await rows(session) == 2500)
            setClock(to: testNow.advanced(by: DownloadHistory.usualRetention + Self.day))
            await sweeper(of: history).sweep()
            #expect(try await rows(session) == 0)
        }
    }

    @Test func `a database that is gone makes everything a first download`() async throws {
        try await withHistory { (history, session) async throws in
            let types = types(history)
            #expect(await restored(types, [one]).isEmpty)
            await session.close()
            let (later, notebook) = (testNow.advanced(by: Self.day), MetricsNotebook())
            await withMetricsFactory(notebook) {
                for _ in 1...20 { #expect(await restored(types, [one], at: later).isEmpty) }
            }
            // Those that nobody was asked for are among them.
            #expect(notebook["plimsoll.devices.downloads.unknown"] == 20)
        }
    }

    @Test func `a database that is slow is not waited for`() async throws {
        try await withHistory { (history, session) async throws in
            let blocker = try await Session.open(ScratchDatabase.current.connection)
            try await blocker.execute("BEGIN")
            try await blocker.execute("LOCK TABLE device.download")
            let types = types(history, timeout: .milliseconds(50))
            let start = ContinuousClock.now
            #expect(await restored(types, [one]).isEmpty)
            #expect(.now - start < .seconds(10))
            await blocker.close()
        }
    }

    @Test func `a key that others may read, or that is none, is refused`() async throws {
        try withFolder { folder in
            let file = folder / AccountKey.fileName
            _ = try AccountKey(at: file)
            _ = try AccountKey(at: file)
            try file.setPermissions(.readableByAll)
            #expect(throws: (any Error).self) { try AccountKey(at: file) }
            _ = try file.removeFile()
            try file.writeDurably(Array("c2hvcnQ=\n".utf8), permissions: .ownerOnly)
            #expect(throws: AccountKeyMalformed.self) { try AccountKey(at: file) }
        }
    }

    private func rows(_ session: Session) async throws -> Int64 {
        try await session.query("SELECT count(*) FROM device.download")[0].value(at: 0)
    }
}
