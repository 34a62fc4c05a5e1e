import PlimsollPostgres
import PlimsollTestSupport
import ServiceLifecycle
import Synchronization
import Testing

@testable import PlimsollStore

/// What runs at one of all instances.
///
/// Five times in a test the end of a lease may have to be waited for.
@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(8)))
struct LeaderServiceTests {
    /// Who is at work.
    private final class Presence: Sendable {
        private struct State {
            var present: Set<Int> = []
            var most = 0
            var comings = 0
            var hasWork = true
        }

        private let state = Mutex(State())

        var present: Set<Int> { state.withLock(\.present) }
        var most: Int { state.withLock(\.most) }
        var comings: Int { state.withLock(\.comings) }
        var hasWork: Bool {
            get { state.withLock(\.hasWork) }
            set { state.withLock { $0.hasWork = newValue } }
        }

        func come(_ number: Int) {
            state.withLock {
                $0.present.insert(number)
                $0.comings += 1
                $0.most = max($0.most, $0.present.count)
            }
        }

        func go(_ number: Int) { state.withLock { _ = $0.present.remove(number) } }
    }

    private struct Work: Service {
        let number: Int
        let presence: Presence

        func run() async throws {
            presence.come(number)
            defer { presence.go(number) }
            while true { try await Task.sleep(for: .seconds(60)) }
        }
    }

    private func led(_ number: Int, _ presence: Presence) throws -> LeaderService<Work> {
        led(number, presence, try lead())
    }

    private func lead() throws -> Leadership {
        let connection = try ScratchDatabase.current.connection
        return Leadership(.ingestion, on: connection, terms: LeaseTerms(length: .seconds(30)))
    }

    private func led(
        _ number: Int,
        _ presence: Presence,
        _ lead: Leadership
    ) -> LeaderService<Work> {
        LeaderService(
            lead,
            running: Work(number: number, presence: presence),
            every: .milliseconds(20)
        ) { presence.hasWork }
    }

    /// Longer than a lease: the server may carry out what somebody asked it who is gone, and then
    /// nobody ends their lease.
    private let patience: Duration = .seconds(90)

    private func endLease() async throws {
        let session = try await Session.open(ScratchDatabase.current.connection)
        try await session.execute("UPDATE instance.lease SET expires_at = '-infinity'")
        await session.close()
    }

    @Test func `it runs at one, and at another one when that stops`() async throws {
        let presence = Presence()
        let services = try (0..<3).map { try led($0, presence) }
        try await withThrowingTaskGroup { group in
            for service in services { group.addTask { try await service.run() } }
            try await poll(until: patience) { presence.present.count == 1 }
            group.cancelAll()
        }
        #expect(presence.present.isEmpty)
        try await endLease()
        let (first, second) = (try led(3, presence), try led(4, presence))
        try await withThrowingTaskGroup { group in
            group.addTask { try await first.run() }
            try await poll(until: patience) { presence.present == [3] }
            try await withThrowingTaskGroup { late in
                late.addTask { try await second.run() }
                try await poll(until: patience) { presence.present == [3] }
                group.cancelAll()
                // A renewal that is on its way would make the lease live on.
                try await group.waitForAll()
                #expect(presence.present.isEmpty)
                try await endLease()
                try await poll(until: patience) { presence.present == [4] }
                late.cancelAll()
            }
        }
        #expect(presence.most == 1)
    }

    // Another one may have led in between, so what was read before is old.
    @Test func `in another term the work is begun again`() async throws {
        let (presence, lead) = (Presence(), try lead())
        let service = led(1, presence, lead)
        try await withThrowingTaskGroup { group in
            group.addTask { try await service.run() }
            try await poll(until: patience) { presence.comings == 1 }
            let seen = try lead.confirm().epoch
            try await poll(until: patience) {
                try await lead.takeIfFree(above: seen)
                return lead.epoch.map { $0 > seen } ?? false
            }
            try await poll(until: patience) { presence.comings == 2 }
            group.cancelAll()
        }
    }

    private func isGivenBack() async throws -> Bool {
        let session = try await Session.open(ScratchDatabase.current.connection)
        let row = try await session.first("SELECT expires_at = '-infinity' FROM instance.lease")
        await session.close()
        return try row?.value(at: 0) ?? false
    }

    @Test func `where there is nothing to do nobody leads`() async throws {
        let presence = Presence()
        let service = try led(1, presence)
        try await withThrowingTaskGroup { group in
            group.addTask { try await service.run() }
            try await poll(until: patience) { presence.present == [1] }
            presence.hasWork = false
            try await poll(until: patience) { try await isGivenBack() }
            #expect(presence.present.isEmpty)
            presence.hasWork = true
            try await poll(until: patience) { presence.present == [1] }
            group.cancelAll()
        }
    }
}
