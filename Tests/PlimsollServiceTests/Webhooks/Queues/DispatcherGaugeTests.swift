import Metrics
import PlimsollDomain
import PlimsollPostgres
import PlimsollSystem
import PlimsollStore
import PlimsollTestSupport
@testable import PlimsollService
import Synchronization
import Testing

/// What an operator is woken by, and what is left when a webhook is gone.
@Suite(.scratchDatabase(template: houseTemplate), .timeLimit(.minutes(5)))
struct DispatcherGaugeTests {
    private let gauges = MetricsNotebook()

    // The table of where queues stand goes away, and comes back.
    private static let hiding: Statement = "ALTER TABLE webhook.lane RENAME TO away"
    private static let showing: Statement = "ALTER TABLE webhook.away RENAME TO lane"
    // It can be read, and not be written to.
    private static let closing: Statement =
        "ALTER TABLE webhook.lane ADD CONSTRAINT held CHECK (false) NOT VALID"
    private static let opening: Statement = "ALTER TABLE webhook.lane DROP CONSTRAINT held"

    private func failing(_ id: WebhookID) -> [Double] {
        gauges.history("plimsoll.webhook.failing webhook=\(id.text)")
    }

    /// Rows of a webhook: where its queue stands and what it tried.
    private func isForgotten(_ id: WebhookID, _ house: HookHouse) async throws -> Bool {
        let isGone = try await house.store.place(of: id) == nil
        return try await house.deliveries(to: id).isEmpty && isGone
    }

    @Test func `a process that sends no more shows no failure`() async throws {
        try await HookHouse.with { house in
            try await Receiver.with(.bytes(.answer(500))) { _, port in
                let id = try await house.register(port)
                try await house.happen()
                try await withMetricsFactory(gauges) {
                    try await house.withDispatcher {
                        try await eventually("a failure") { failing(id).last == 1 }
                    }
                }
                #expect(failing(id).last == 0)
                #expect(gauges.history("plimsoll.courier.active").last == 0)
                #expect(gauges["plimsoll.webhook.attempts kind=event outcome=failed"] ?? 0 > 0)
                #expect(gauges["plimsoll.webhook.attempt.duration"] ?? 0 > 0)
            }
        }
    }

    // Method: the next attempt lies ahead, and succeeds; so only the start can show the failure.
    @Test func `a start shows at once what failed before it`() async throws {
        try await HookHouse.with { house in
            try await Receiver.with { receiver, port in
                let id = try await house.register(port)
                let last = try await house.happen()
                let trouble = WebhookProgress.Trouble(
                    failures: 3,
                    since: house.clock.now,
                    nextAttempt: house.clock.now.advanced(by: .seconds(3000)),
                    failure: "it answered 500"
                )
                let registered = try house.webhook(id).registeredAt
                let place = WebhookProgress(
                    delivered: registered,
                    replay: nil,
                    replayTaken: .start,
                    enabledAt: registered,
                    trouble: trouble
                )
                try await house.store.save(place, of: id, nil)
                try await withMetricsFactory(gauges) {
                    try await house.withDispatcher { try await house.settle(id, at: last) }
                }
                #expect(failing(id).first == 1)
                #expect(failing(id).last == 0)
            }
        }
    }

    // Goal: an alarm that is to last does last, and the receiver is not sent the same again and again
    // meanwhile. Method: where it stands cannot be read for a while, or only not be written down.
    @Test(arguments: [(hiding, showing), (closing, opening)])
    func `a queue that is held up shows a failure, until it goes on`(
        _ harm: Statement,
        _ mending: Statement
    ) async throws {
        try await HookHouse.with { house in
            try await Receiver.with { receiver, port in
                let id = try await house.register(port)
                let first = try await house.happen()
                let owner = try await Session.open(house.connection)
                try await withMetricsFactory(gauges) {
                    try await house.withDispatcher {
                        try await house.settle(id, at: first)
                        #expect(!failing(id).contains(1))
                        try await owner.execute(harm)
                        let last = try await house.happen()
                        try await eventually("an alarm that lasts") {
                            failing(id).count { $0 == 1 } > 3
                        }
                        #expect(!failing(id).drop { $0 == 0 }.contains(0))
                        #expect(receiver.positions.count { $0 == last } <= 1)
                        try await owner.execute(mending)
                        try await house.settle(id, at: last)
                        try await eventually("its end") { failing(id).last == 0 }
                    }
                }
                await owner.close()
            }
        }
    }

    // Goal: a database that is away is not asked every second by all queues, and soon noticed once it
    // is well again.
    @Test func `a queue that is held up for long tries less often`() async throws {
        let rests = Mutex<[Duration]>([])
        try await HookHouse.with { house in
            try await Receiver.with { _, port in
                let id = try await house.register(port)
                let owner = try await Session.open(house.connection)
                try await owner.execute(Self.closing)
                let last = try await house.happen()
                try await house.withDispatcher({ parts in
                    let pause = parts.pause
                    parts.pause = { duration in
                        if duration >= .seconds(1) { rests.withLock { $0.append(duration) } }
                        try await pause(duration)
                    }
                }) {
                    try await eventually("eight rests") { rests.withLock(\.count) >= 8 }
                    try await owner.execute(Self.opening)
                    try await house.settle(id, at: last)
                }
                await owner.close()
            }
        }
        let seconds = rests.withLock { $0.prefix(8).map { $0 / .seconds(1) } }
        #expect(seconds == [1, 2, 4, 8, 16, 32, 32, 32])
    }

    @Test func `who was given up is shown until nobody has to see to it`() async throws {
        try await HookHouse.with { house in
            let id = try await house.register(9)
            try await house.useCases.giveUp(on: id, because: "it answered 410")
            let label = "plimsoll.webhooks.given_up"
            try await withMetricsFactory(gauges) {
                try await house.withDispatcher {
                    try await eventually("the alarm") { gauges.history(label).last == 1 }
                    try await house.remove(id)
                    try await eventually("its end") { gauges.history(label).last == 0 }
                }
            }
        }
    }

    @Test func `of the only webhook nothing is kept when it is removed`() async throws {
        try await HookHouse.with { house in
            try await Receiver.with { _, port in
                let id = try await house.register(port)
                let last = try await house.happen()
                try await house.withDispatcher {
                    try await house.settle(id, at: last)
                    try await house.remove(id)
                    try await eventually("the end of its rows") {
                        try await isForgotten(id, house)
                    }
                }
            }
        }
    }

    // Goal: what a queue writes down after its webhook was removed is forgotten as well.
    // Method: the webhook goes while its receiver hesitates; that the queue is over shows in its
    // gauge, so whatever it wrote is there by then.
    @Test func `an attempt that outlasts its webhook leaves nothing behind`() async throws {
        try await HookHouse.with { house in
            try await Receiver.with(.part([])) { slow, slowPort in
                let id = try await house.register(slowPort)
                try await house.register(9)
                try await house.happen()
                try await withMetricsFactory(gauges) {
                    try await house.withDispatcher {
                        try await eventually("an attempt") { slow.asked > 0 }
                        try await house.remove(id)
                        try await eventually("the end of the queue") {
                            failing(id).contains(1) && failing(id).last == 0
                        }
                        try await eventually("the end of its rows") {
                            try await isForgotten(id, house)
                        }
                    }
                }
            }
        }
    }

    @Test func `people see how far a quiet webhook has come`() async throws {
        try await HookHouse.with { house in
            try await Receiver.with { _, port in
                let id = try await house.register(port, scope: .app(slug("quay")))
                let elsewhere = try await house.happen()
                try await house.withDispatcher({ $0.intervals.look = .milliseconds(10) }) {
                    // It is written down a minute after the one before.
                    try await eventually("that it passed what is elsewhere") {
                        house.clock.advance(by: .seconds(60))
                        return try await house.store.place(of: id)?.delivered == elsewhere
                    }
                }
            }
        }
    }

    @Test func `who cannot sign leaves the lock to others for longer than a look`() async throws {
        try await HookHouse.with { house in
            try await Receiver.with { _, port in
                try await house.register(port)
                _ = try house.sender.key.path.removeFile()
                let rest = Duration.seconds(61)
                let rests = Mutex(0)
                try await house.withDispatcher({ parts in
                    parts.intervals.withoutKey = rest
                    let pause = parts.pause
                    parts.pause = { duration in
                        if duration == rest { rests.withLock { $0 += 1 } }
                        try await pause(duration)
                    }
                }) {
                    try await eventually("a rest") { rests.withLock { $0 } > 0 }
                }
            }
        }
    }
}
