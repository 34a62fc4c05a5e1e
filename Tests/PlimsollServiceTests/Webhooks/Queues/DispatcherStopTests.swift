import Foundation
import PlimsollAPI
import PlimsollDomain
import PlimsollPostgres
import PlimsollSystem
import PlimsollStore
import PlimsollTestSupport
@testable import PlimsollService
import Testing

/// Starts and stops, one of several, and what people order.
@Suite(.scratchDatabase(template: houseTemplate), .timeLimit(.minutes(5)))
struct DispatcherStopTests {
    @Test func `the next dispatcher goes on where the last one stopped`() async throws {
        try await HookHouse.with { house in
            try await Receiver.with { receiver, port in
                let id = try await house.register(port)
                var positions: [Position] = []
                for _ in 0..<3 {
                    let position = try await house.happen()
                    positions.append(position)
                    try await house.withDispatcher { try await house.settle(id, at: position) }
                }
                #expect(receiver.positions == positions)
            }
        }
    }

    // Goal: what a receiver may have taken although nobody wrote that down is sent again under the
    // same id. Method: the dispatcher is cut short while the receiver has not answered.
    @Test func `a dispatcher that dies in the middle sends again, under the same id`() async throws
    {
        try await HookHouse.with { house in
            try await Receiver.with(.part([])) { receiver, port in
                let id = try await house.register(port)
                let position = try await house.happen()
                try await house.withDispatcher {
                    try await eventually("the first attempt") { receiver.asked == 1 }
                }
                #expect(try await house.deliveries(to: id).isEmpty)
                receiver.answer(.bytes(.answer(204)))
                try await house.withDispatcher { try await house.settle(id, at: position) }
                let deliveries = try await house.deliveries(to: id)
                #expect(deliveries.map(\.message) == receiver.taken.map { $0["webhook-id"] ?? "" })
            }
        }
    }

    @Test func `of two dispatchers one sends, and the other takes over`() async throws {
        try await HookHouse.with { house in
            try await Receiver.with { receiver, port in
                let id = try await house.register(port)
                var positions: [Position] = []
                let terms = LeaseTerms(length: .seconds(15))
                let rival = { Leadership(.courier, on: house.connection, terms: terms) }
                try await house.withDispatcher({ $0.lead = rival() }) {
                    positions.append(try await house.happen())
                    try await house.settle(id, at: positions[0])
                    try await house.withDispatcher({ $0.lead = rival() }) {
                        for _ in 0..<20 { positions.append(try await house.happen()) }
                        try await house.settle(id, at: positions[20])
                        #expect(receiver.positions == positions)
                    }
                }
                try await house.withDispatcher({ $0.lead = rival() }) {
                    positions.append(try await house.happen())
                    try await eventually("the last") { receiver.positions == positions }
                }
            }
        }
    }

    // Goal: an instance that slept forgets nothing of a webhook that it has not heard of.
    // Method: it looks at the log only where it is told to, and another one has sent meanwhile.
    @Test func `who begins to send knows all that those before it knew`() async throws {
        try await HookHouse.with(lookingEvery: .seconds(3600)) { house in
            try await Receiver.with { receiver, port in
                let old = try await house.register(port)
                var unheardOf: WebhookID?
                try await HookHouse.with(sharing: house.sender.key) { other in
                    unheardOf = try await other.register(port)
                    let last = try await other.happen()
                    try await other.withDispatcher {
                        for id in [old, try #require(unheardOf)] {
                            try await other.settle(id, at: last)
                        }
                    }
                }
                let new = try #require(unheardOf)
                #expect(house.writer.logState.webhooks[new] == nil)
                let sent = try await house.deliveries(to: new)
                try await house.withDispatcher {
                    try await eventually("the other one is known") {
                        house.writer.logState.webhooks[new] != nil
                    }
                    let next = try await house.happen()
                    for id in [old, new] { try await house.settle(id, at: next) }
                }
                #expect(try await house.deliveries(to: new).count == sent.count + 1)
                #expect(receiver.positions.count == Set(receiver.positions).count * 2 - 1)
            }
        }
    }

    @Test func `who fails for three days is given up, and people are told why`() async throws {
        try await HookHouse.with { house in
            try await Receiver.with(.bytes(.answer(500))) { receiver, port in
                let id = try await house.register(port)
                let lost = try await house.happen()
                try await house.withDispatcher({ $0.intervals.look = .seconds(3600) }) {
                    try await eventually("the end") { try !house.webhook(id).isEnabled }
                    let view = try await house.useCases.webhook(id, for: HookHouse.administrator)
                    let stop = try #require(view.stop)
                    #expect(stop.by == .system)
                    #expect(stop.cause?.contains("it answered 500") == true)
                    let asked = receiver.asked
                    try await house.happen()
                    receiver.answer(.bytes(.answer(200)))
                    #expect(receiver.asked == asked)
                    try await house.enable(id)
                    let end = house.writer.logState.position
                    try await eventually("all since") { receiver.positions.last == end }
                }
                #expect(receiver.positions.first == lost)
                #expect(receiver.positions.count == 4)
            }
        }
    }

    // Goal: fifteen hours of failures are no three days because the machine's clock was set ahead.
    @Test func `who fails is given up after three days by the time that counts`() async throws {
        try await HookHouse.with { house in
            try await Receiver.with(.bytes(.answer(500))) { receiver, port in
                let id = try await house.register(port)
                try await house.happen()
                let since = house.clock.now.advanced(by: .seconds(-15 * 3600))
                try await house.fail(id, 24, since: since)
                house.wallClock.advance(by: .seconds(315_576_000))
                try await house.withDispatcher({ $0.intervals.look = .seconds(3600) }) {
                    try await eventually("the end") { try !house.webhook(id).isEnabled }
                }
                let stop = try #require(try house.webhook(id).stop)
                #expect(stop.since >= since.advanced(by: RetrySchedule().patience))
                #expect(try await house.deliveries(to: id).count > 24)

                receiver.answer(.bytes(.answer(204)))
                let test = try await house.useCases.testWebhook(id, for: HookHouse.administrator)
                #expect(test.attemptedAt <= house.clock.now)
                let seconds = house.wallClock.now.millisecondsSince1970 / 1000
                #expect(receiver.taken.last?["webhook-timestamp"] == "\(seconds)")
            }
        }
    }

    @Test func `nobody is given up while the clock is in doubt`() async throws {
        try await HookHouse.with { house in
            try await Receiver.with(.bytes(.answer(500))) { receiver, port in
                let id = try await house.register(port)
                try await house.happen()
                let since = house.clock.now.advanced(by: .seconds(-4 * 86_400))
                try await house.fail(id, 80, since: since)
                house.clock.beginDoubt()
                try await house.withDispatcher {
                    try await eventually("three attempts") { receiver.asked >= 3 }
                    #expect(try house.webhook(id).isEnabled)
                    house.clock.endDoubt()
                    try await eventually("the end") { try !house.webhook(id).isEnabled }
                }
            }
        }
    }

    @Test func `who sends no more gives nobody up, and forgets nothing`() async throws {
        try await HookHouse.with { house in
            let id = try await house.register(9)
            try await house.fail(id, 1, since: house.clock.now)
            let (first, second) = (house.rival(), house.rival())
            #expect(try await first.takeIfFree())
            let late = try first.confirm()
            #expect(try await second.takeIfFree())
            await #expect(throws: UseCaseError.storeAway) {
                try await house.useCases.giveUp(on: id, because: "it answered 410", as: late)
            }
            #expect(try house.webhook(id).isEnabled)
            await #expect(throws: PostgresError.self) {
                try await house.store.forget(allBut: [], as: late)
            }
            #expect(try await house.store.place(of: id) != nil)
            let fence = try second.confirm()
            try await house.store.forget(allBut: [], as: fence)
            #expect(try await house.store.place(of: id) == nil)
            try await house.useCases.giveUp(on: id, because: "it answered 410", as: fence)
            #expect(try !house.webhook(id).isEnabled)
        }
    }

    @Test func `a receiver that says that it is gone is given up at once`() async throws {
        try await HookHouse.with { house in
            try await Receiver.with(.bytes(.answer(410))) { receiver, port in
                let id = try await house.register(port)
                try await house.happen()
                try await house.withDispatcher {
                    try await eventually("the end") { try !house.webhook(id).isEnabled }
                }
                #expect(receiver.asked == 1)
            }
        }
    }

    @Test func `a replay sends the same events under the same ids`() async throws {
        try await HookHouse.with { house in
            try await Receiver.with { receiver, port in
                let before = try await house.happen()
                let id = try await house.register(port)
                let after = try await house.happen()
                try await house.withDispatcher {
                    try await eventually("the event") { receiver.positions == [after] }
                    try await house.replay(to: id, since: before, until: after)
                    let order = house.writer.logState.position
                    try await house.settle(id, at: order)
                    let registration = try house.webhook(id).registeredAt
                    #expect(receiver.positions == [after, before, registration, after, order])
                }
                let ids = receiver.taken.map { $0["webhook-id"] }
                #expect(ids[0] == ids[3])
                let kinds = try await house.deliveries(to: id).map(\.kind)
                #expect(kinds == [.event, .replay, .replay, .replay, .event])
            }
        }
    }

    @Test func `nothing is sent while it is disabled, and nothing is lost`() async throws {
        try await HookHouse.with { house in
            try await Receiver.with { witness, witnessPort in
                try await house.register(witnessPort)
                try await Receiver.with { receiver, port in
                    let id = try await house.register(port)
                    try await house.withDispatcher {
                        try await house.disable(id)
                        let disabled = house.writer.logState.position
                        let missed = try await house.happen()
                        try await eventually("the other") { witness.positions.last == missed }
                        #expect(receiver.asked == 0)
                        try await house.enable(id)
                        let enabled = house.writer.logState.position
                        try await eventually("all of it") { receiver.positions.last == enabled }
                        #expect(receiver.positions == [disabled, missed, enabled])
                    }
                }
            }
        }
    }

    @Test func `of a webhook that is removed nothing is kept`() async throws {
        try await HookHouse.with { house in
            try await Receiver.with { receiver, port in
                let id = try await house.register(port)
                let other = try await house.register(port)
                try await house.withDispatcher {
                    try await eventually("a delivery") { receiver.taken.count >= 1 }
                    try await house.remove(id)
                    try await eventually("the end of its rows") {
                        let isGone = try await house.store.place(of: id) == nil
                        return try await house.deliveries(to: id).isEmpty && isGone
                    }
                    let last = try await house.happen()
                    try await eventually("the other") { receiver.positions.last == last }
                }
                #expect(try await !house.deliveries(to: other).isEmpty)
            }
        }
    }

    @Test func `a secret from another key is told of, and sent with nothing`() async throws {
        try await HookHouse.with { house in
            try await Receiver.with { receiver, port in
                let id = try await house.register(port)
                _ = try house.sender.key.path.removeFile()
                _ = try house.sender.key.make()
                let delivery = try await house.useCases.testWebhook(
                    id,
                    for: HookHouse.administrator
                )
                #expect(delivery.failure?.contains("rotate the secret") == true)
                #expect(receiver.asked == 0)
                let position = try await house.happen()
                try await house.withDispatcher {
                    try await eventually("people are told") {
                        let place = try await house.store.place(of: id)
                        return place?.failure?.contains("rotate the secret") == true
                    }
                    #expect(receiver.asked == 0)
                    _ = try await house.useCases.rotateWebhookSecret(of: id, house.request())
                    try await house.settle(id, at: house.writer.logState.position)
                }
                #expect(receiver.positions.first == position)
                let mended = try await house.useCases.testWebhook(
                    id,
                    for: HookHouse.administrator
                )
                #expect(mended.failure == nil)
            }
        }
    }
}

extension HookHouse {
    /// Takes the lease from anybody.
    fileprivate func rival() -> Leadership {
        let terms = LeaseTerms(length: .seconds(60))
        return Leadership(.courier, on: connection, isAlone: true, terms: terms)
    }

    /// Has nothing be delivered since then, in so many attempts.
    fileprivate func fail(_ id: WebhookID, _ failures: Int, since: Instant) async throws {
        let registered = try webhook(id).registeredAt
        let place = WebhookProgress(
            delivered: registered,
            replay: nil,
            replayTaken: .start,
            enabledAt: registered,
            trouble: WebhookProgress.Trouble(
                failures: failures,
                since: since,
                nextAttempt: clock.now,
                failure: "it answered 500"
            )
        )
        try await store.save(place, of: id, nil)
    }
}
