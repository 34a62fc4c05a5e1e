import Foundation
import PlimsollDomain
import PlimsollTestSupport
import PlimsollService
import Testing

@Suite struct WebhookProgressTests {
    private let id = WebhookID(UUID())

    /// Registered at event 9 of the sample.
    private func registered() throws -> Given {
        let key = try #require(WebhookKeyID("0123456789abcdef"))
        let url = try #require(WebhookURL("https://hooks.example.com/"))
        let settings = WebhookSettings(url: url, scope: .all)
        return try Given.harbourApp().when(RegisterWebhook(id, settings, key: key, by: root))
    }

    private func webhook(_ given: Given) throws -> Webhook {
        try #require(given.logState.webhooks[id])
    }

    private let failed = SendingOutcome(status: 500, failure: "it answered 500")

    @Test func `a queue begins behind the registration, and goes on`() throws {
        let given = try registered()
        var place = WebhookProgress(of: try webhook(given))
        let start = given.logState.position
        #expect(place.stretch.after == start)
        place.reach(start.advanced(by: 3), in: place.stretch)
        #expect(place.stretch.after == start.advanced(by: 3))
        place.reach(start, in: place.stretch)
        #expect(place.delivered == start.advanced(by: 3))
    }

    @Test func `failures count until something is delivered, and since the first`() throws {
        var place = WebhookProgress(of: try webhook(try registered()))
        let later = testNow.advanced(by: .seconds(60))
        place.fail(failed, at: testNow, RetrySchedule(), chance: 1)
        place.fail(failed, at: later, RetrySchedule(), chance: 1)
        #expect(place.failures == 2)
        #expect(place.failingSince == testNow)
        #expect(place.nextAttempt == later.advanced(by: .seconds(10)))
        #expect(place.failure == "it answered 500")
        place.reach(place.delivered.advanced(by: 1), in: place.stretch)
        #expect(place.failures == 0)
        #expect(place.failingSince == nil)
        #expect(place.nextAttempt == nil)
    }

    @Test func `what failed waits for its next attempt, and for none beyond the schedule`() throws {
        var place = WebhookProgress(of: try webhook(try registered()))
        let schedule = RetrySchedule()
        #expect(place.wait(at: testNow, schedule) == nil)
        place.fail(failed, at: testNow, schedule, chance: 1)
        #expect(place.wait(at: testNow, schedule) == .seconds(5))
        let justBefore = testNow.advanced(by: .milliseconds(4999))
        #expect(place.wait(at: justBefore, schedule) == .milliseconds(1))
        #expect(place.wait(at: testNow.advanced(by: .seconds(5)), schedule) == nil)
        let longBefore = testNow.advanced(by: .seconds(5) - schedule.delayMaximum)
        #expect(place.wait(at: longBefore, schedule) == schedule.delayMaximum)
        let beforeThat = longBefore.advanced(by: .milliseconds(-1))
        #expect(place.wait(at: beforeThat, schedule) == nil)
    }

    @Test func `failures count from no time that lies ahead`() throws {
        var place = WebhookProgress(of: try webhook(try registered()))
        let ahead = testNow.advanced(by: .seconds(315_576_000))
        place.fail(failed, at: ahead, RetrySchedule(), chance: 1)
        #expect(place.failingSince == ahead)
        place.fail(failed, at: testNow, RetrySchedule(), chance: 1)
        #expect(place.failingSince == testNow)
    }

    @Test func `a replay comes first, and then the queue goes on where it was`() throws {
        let given = try registered()
        var place = WebhookProgress(of: try webhook(given))
        place.reach(given.logState.position.advanced(by: 5), in: place.stretch)
        let ordered = given.when(
            ReplayToWebhook(id, since: Position(2), until: Position(4), by: root)
        )
        let webhook = try webhook(ordered)
        let isNew = place.adopt(webhook)
        #expect(isNew)
        let isNewAgain = place.adopt(webhook)
        #expect(!isNewAgain)
        #expect(place.stretch == WebhookProgress.Stretch(after: Position(1), until: Position(4)))
        place.reach(Position(3), in: place.stretch)
        #expect(place.stretch == WebhookProgress.Stretch(after: Position(3), until: Position(4)))
        place.reach(Position(9), in: place.stretch)
        #expect(place.replay == nil)
        #expect(place.stretch.after == given.logState.position.advanced(by: 5))
    }

    @Test func `replays are done one after the other, and none is dropped`() throws {
        let given = try registered()
        var place = WebhookProgress(of: try webhook(given))
        let ordered = given.when(
            ReplayToWebhook(id, since: Position(2), until: Position(4), by: root)
        ).when(ReplayToWebhook(id, since: Position(6), until: Position(6), by: root))
        let webhook = try webhook(ordered)
        var stretches: [WebhookProgress.Stretch] = []
        while place.adopt(webhook) {
            let stretch = place.stretch
            stretches.append(stretch)
            let isNew = place.adopt(webhook)
            #expect(!isNew)
            place.reach(stretch.until, in: stretch)
        }
        #expect(stretches.map(\.after) == [Position(1), Position(5)])
        #expect(stretches.map(\.until) == [Position(4), Position(6)])
        #expect(place.replay == nil)
    }

    @Test func `of very many orders the newest are kept`() throws {
        var given = try registered()
        for _ in 0...Webhook.replaysMaximum {
            given = given.when(
                ReplayToWebhook(id, since: Position(1), until: Position(1), by: root)
            )
        }
        let replays = try webhook(given).replays
        #expect(replays.count == Webhook.replaysMaximum)
        #expect(replays.last?.orderedAt == given.logState.position)
    }

    // Goal: a replay of later events takes nothing for sent that stands before them.
    @Test func `a replay that is over says nothing of where the queue stands`() throws {
        let given = try registered()
        var place = WebhookProgress(of: try webhook(given))
        let start = given.logState.position
        let more = (0..<4).reduce(given) { given, _ in
            given.when(.system, (.access, .access(.principalAdded(PrincipalID(UUID())))))
        }
        let ordered = more.when(
            ReplayToWebhook(
                id,
                since: start.advanced(by: 3),
                until: start.advanced(by: 4),
                by: root
            )
        )
        let isNew = try place.adopt(webhook(ordered))
        #expect(isNew)
        let replay = place.stretch
        place.reach(start.advanced(by: 4), in: replay)
        #expect(place.replay == nil)
        place.reach(start.advanced(by: 4), in: replay)
        #expect(place.delivered == start)
    }

    @Test func `a replay of what was not sent yet is not sent twice`() throws {
        let given = try registered()
        var place = WebhookProgress(of: try webhook(given))
        let start = given.logState.position
        let more = given.when(
            .system,
            (.access, .access(.principalAdded(PrincipalID(UUID())))),
            (.access, .access(.principalAdded(PrincipalID(UUID()))))
        )
        let ordered = more.when(ReplayToWebhook(id, since: start, until: nil, by: root))
        let isNew = try place.adopt(webhook(ordered))
        #expect(isNew)
        place.reach(start.advanced(by: 2), in: place.stretch)
        #expect(place.replay == nil)
        #expect(place.delivered == start.advanced(by: 2))
    }

    @Test func `whoever enables it again has it tried at once`() throws {
        let given = try registered()
        var place = WebhookProgress(of: try webhook(given))
        place.fail(failed, at: testNow, RetrySchedule(), chance: 1)
        let again = given.when(DisableWebhook(id, because: "it answered 500"))
            .when(EnableWebhook(id, reason: nil, by: root))
        let isNew = try place.adopt(webhook(again))
        #expect(isNew)
        #expect(place.nextAttempt == nil)
        #expect(place.failures == 0)
        #expect(place.delivered == given.logState.position)
    }
}
