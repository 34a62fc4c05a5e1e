package import PlimsollDomain

/// How far a queue has come, and what it was at: all that a start goes on from.
package struct WebhookProgress: Equatable, Sendable {
    /// Everything up to here was sent, or is none of the webhook's business.
    package private(set) var delivered: Position
    /// What of a replay is still to be sent.
    package private(set) var replay: Stretch?
    /// The last replay that was begun, by the position of its order.
    package private(set) var replayTaken: Position
    /// Failures count from the last time it was enabled.
    package private(set) var enabledAt: Position
    package private(set) var failures: Int
    package private(set) var failingSince: Instant?
    package private(set) var nextAttempt: Instant?
    package private(set) var failure: String?

    /// Positions behind one, up to another.
    package struct Stretch: Equatable, Sendable {
        package var after: Position
        package let until: Position

        package init(after: Position, until: Position) {
            self.after = after
            self.until = until
        }
    }

    /// Where a webhook begins of which nothing is known: behind its registration.
    package init(of webhook: Webhook) {
        self.init(
            delivered: webhook.registeredAt,
            replay: nil,
            replayTaken: .start,
            enabledAt: webhook.enabledAt,
            trouble: nil
        )
    }

    /// What failed, and since when.
    package struct Trouble: Equatable, Sendable {
        package let failures: Int
        package let since: Instant
        package let nextAttempt: Instant
        package let failure: String
    }

    package init(
        delivered: Position,
        replay: Stretch?,
        replayTaken: Position,
        enabledAt: Position,
        trouble: Trouble?
    ) {
        self.delivered = delivered
        self.replay = replay
        self.replayTaken = replayTaken
        self.enabledAt = enabledAt
        failures = trouble?.failures ?? 0
        failingSince = trouble?.since
        nextAttempt = trouble?.nextAttempt
        failure = trouble?.failure
    }

    /// What is to be sent next.
    package var stretch: Stretch {
        replay ?? Stretch(after: delivered, until: Position(Int.max))
    }

    /// Takes up what was ordered of the webhook since, one replay after another; answers whether
    /// anything was.
    package mutating func adopt(_ webhook: Webhook) -> Bool {
        let before = self
        let waiting = webhook.replays.first { $0.orderedAt > replayTaken }
        if replay == nil, let order = waiting {
            replayTaken = order.orderedAt
            replay = Stretch(after: order.since.before, until: order.until)
        }
        if webhook.enabledAt > enabledAt {
            enabledAt = webhook.enabledAt
            forgetFailures()
        }
        return self != before
    }

    /// Everything of the stretch up to there was sent or need not be; of one that is over by now
    /// there is nothing to say.
    package mutating func reach(_ position: Position, in worked: Stretch) {
        guard worked.until == stretch.until else { return }
        forgetFailures()
        guard var stretch = replay else {
            delivered = max(delivered, position)
            return
        }
        let begun = stretch.after
        stretch.after = max(begun, min(position, stretch.until))
        // A replay that goes on where the queue stands is the queue's own work.
        if begun <= delivered { delivered = max(delivered, stretch.after) }
        replay = stretch.after < stretch.until ? stretch : nil
    }

    package mutating func fail(
        _ outcome: SendingOutcome,
        at now: Instant,
        _ schedule: RetrySchedule,
        chance: Double
    ) {
        failures += 1
        failure = outcome.failure
        // A time that lies ahead is from before the clock was set back.
        failingSince = min(failingSince ?? now, now)
        let delay = schedule.delay(
            afterFailures: failures,
            asked: outcome.retryAfter,
            chance: chance
        )
        nextAttempt = now.advanced(by: delay)
    }

    /// How long what failed is left alone yet; `nil` where it is to be tried.
    ///
    /// A wait that is longer than any that is granted is from before the clock was set back.
    package func wait(at now: Instant, _ schedule: RetrySchedule) -> Duration? {
        guard let next = nextAttempt, now < next,
            next <= now.advanced(by: schedule.delayMaximum)
        else { return nil }
        return .milliseconds(next.millisecondsSince1970 - now.millisecondsSince1970)
    }

    private mutating func forgetFailures() {
        failures = 0
        (failingSince, nextAttempt, failure) = (nil, nil, nil)
    }
}
