import Foundation
import PlimsollJSON
import PlimsollTestSupport
import Testing

/// Workers at a service that is about to lose something, and what has to be true afterwards.
struct Trial: Sendable {
    let fixture: ServerFixture
    let ledger: Ledger
    let crew: [Worker]

    /// How often each kind of death is died.
    ///
    /// `PLIMSOLL_KILLS` says it; 5 times without it.
    static let deaths = number("PLIMSOLL_KILLS").map(Int.init) ?? 5

    init(_ fixture: ServerFixture, workers count: Int) async throws {
        self.fixture = fixture
        let ledger = Ledger()
        var crew: [Worker] = []
        try await fixture.run { server in
            crew = try await Worker.crew(count, at: server, ledger)
        }
        self.ledger = ledger
        self.crew = crew
    }

    /// Lets the workers work for a while, or until the service dies, and then strikes.
    func work(
        at server: RunningServer,
        until moment: Duration,
        _ strike: () async throws -> Void = {}
    ) async throws {
        guard try await isReady(server) else { return }
        let closing = Closing()
        let deadline = ContinuousClock.now + moment
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in crew {
                group.addTask(name: "worker") {
                    try await worker.work(at: server) { !closing.isDue }
                }
            }
            while ContinuousClock.now < deadline, server.isAlive {
                try await Task.sleep(for: .milliseconds(5))
            }
            try await strike()
            closing.call()
            try await group.waitForAll()
        }
    }

    /// Fails the test unless everything is whole after the n-th death.
    func expectWhole(after number: Int) async throws {
        try await fixture.run { try await expectWhole(at: $0, after: number) }
    }

    /// Reading every snapshot takes its time, so after many deaths not each is verified by itself.
    func expectWhole(at server: RunningServer, after number: Int) async throws {
        let events = try await server.settle()
        expectDense(events)
        ledger.expectKept(in: events)
        try await server.expectAgreement(with: events)
        if number.isMultiple(of: max(1, Self.deaths / 5)) { try await fixture.expectVerified() }
    }

    /// Sends what was never answered once more: now everything is applied, and each once.
    func conclude(_ kind: String, _ moments: RandomMoments) async throws {
        try await fixture.run { try await conclude(at: $0, kind, moments) }
    }

    func conclude(
        at server: RunningServer,
        _ kind: String,
        _ moments: RandomMoments
    ) async throws {
        for worker in crew { try await worker.work(at: server) { false } }
        try await expectWhole(at: server, after: Self.deaths)
        #expect(!ledger.entries.isEmpty)
        #expect(ledger.applied.count == ledger.entries.count)
        let sentence = "\(ledger.entries.count) changes, seed \(moments.seed)"
        Attachment.record(sentence, named: "\(kind).txt")
    }

    /// Whether the service came up; it may die on the way, as it was told.
    private func isReady(_ server: RunningServer) async throws -> Bool {
        try await eventually("the service is ready or dead") {
            if !server.isAlive { return false }
            return try server.fixture.announcementText().contains("Try next:") ? true : nil
        }
    }
}

/// Random moments that can be had again: `PLIMSOLL_SEED` takes the seed of an earlier run.
struct RandomMoments: RandomNumberGenerator {
    let seed: UInt64
    private var numbers: SeededGenerator

    init() {
        seed = number("PLIMSOLL_SEED") ?? .random(in: 0 ... .max)
        numbers = SeededGenerator(seed: seed)
    }

    mutating func next() -> UInt64 { numbers.next() }

    mutating func milliseconds(_ range: ClosedRange<Int>) -> Duration {
        .milliseconds(Int.random(in: range, using: &self))
    }
}

func number(_ variable: String) -> UInt64? {
    ProcessInfo.processInfo.environment[variable].flatMap { UInt64($0) }
}
