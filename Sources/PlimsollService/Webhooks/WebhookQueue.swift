import Logging
import Metrics
import PlimsollAPI
import PlimsollDomain
import PlimsollPostgres
package import PlimsollStore

/// Sends one webhook what happens, event by event, in the order of the log.
///
/// Every webhook has a queue of its own, so that none waits for another. What fails is tried again
/// before anything behind it is sent.
struct WebhookQueue {
    private let id: WebhookID
    private let term: Fence
    private let parts: DispatcherParts
    private var place: WebhookProgress?
    private var complaint: String?
    /// How often in a row it could not go on; what failed to be delivered is no part of it.
    private var stumbles = 0

    /// Positions that hold nothing for the webhook are written down once in so many, or after a
    /// minute: a start reads them again.
    private static let unwrittenMaximum: Int64 = 1000
    private static let unwrittenLifetime = Duration.seconds(60)
    private var written = Position.start
    private var writtenAt: Instant

    /// Takes the term in which it sends: whoever leads again reads anew where it stands.
    init(_ id: WebhookID, in term: Fence, _ parts: DispatcherParts) {
        (self.id, self.term) = (id, term)
        self.parts = parts
        writtenAt = parts.now()
    }

    /// Runs until the webhook is disabled or removed, or the task is cancelled.
    mutating func run() async {
        defer { showFailing(0) }
        while !Task.isCancelled, let webhook = parts.useCases.knownWebhooks?[id], webhook.isEnabled
        {
            do {
                try await step(webhook)
                goOn()
            } catch is CancellationError {
                return
            } catch {
                report("\(error)")
                showFailing(1)
                // What is not written down is read anew: the attempt may have been written or not.
                place = nil
                // A cancelled pause ends the loop.
                try? await parts.pause(recovery)
                stumbles += 1
            }
        }
    }

    /// How long it rests: ever longer, but a database that is well again is soon noticed.
    private var recovery: Duration { parts.intervals.recovery * (1 << min(stumbles, 5)) }

    /// What held it up is over.
    private mutating func goOn() {
        guard complaint != nil else { return }
        (complaint, stumbles) = (nil, 0)
        showFailing(isFailing ? 1 : 0)
    }

    private var isFailing: Bool { complaint != nil || place.map { $0.failures > 0 } ?? false }

    private mutating func step(_ webhook: Webhook) async throws {
        var place = try await progress(of: webhook)
        // What was held up goes on once it can write; to pass over events alone needs no place.
        if place.adopt(webhook) || complaint != nil {
            try await save(place, nil, as: try parts.lead.confirm(term))
        }
        if let wait = place.wait(at: parts.now(), parts.schedule) {
            try await parts.pause(min(wait, parts.intervals.look))
            return
        }
        let stretch = place.stretch
        let growth = try await parts.useCases.growth(
            for: webhook,
            after: stretch.after,
            patience: parts.intervals.look
        )
        let events = growth.events.prefix { $0.position <= stretch.until }
        for events in messages(of: events, to: webhook) {
            // What was ordered of the webhook meanwhile holds from here on.
            guard parts.useCases.knownWebhooks?[id] == webhook else { return }
            guard try await send(events, webhook) else { return }
        }
        try await skip(to: min(growth.reached, stretch.until), in: stretch)
    }

    /// Which events are one message: those of one append, where that was asked for.
    ///
    /// What a program would be told of them has an end, as what receivers take has; a channel is told
    /// little of however many.
    private func messages(
        of events: some Sequence<AuditedEvent>,
        to webhook: Webhook
    ) -> [[AuditedEvent]] {
        guard webhook.settings.isGrouped else { return events.map { [$0] } }
        let isForPrograms = webhook.settings.format == .standard
        var messages: [[AuditedEvent]] = []
        var size = 0
        for event in events {
            let added = isForPrograms ? EventAnswer(event).bytes.count : 0
            let isSameAct = messages.last?.last?.recorded.command == event.recorded.command
            if isSameAct, size + added <= parts.messageBytesMaximum {
                messages[messages.count - 1].append(event)
                size += added
            } else {
                messages.append([event])
                size = added
            }
        }
        return messages
    }

    /// Answers whether it was delivered.
    private mutating func send(_ events: [AuditedEvent], _ webhook: Webhook) async throws -> Bool {
        guard var place, let last = events.last else { return false }
        let kind: DeliveryKind = place.replay == nil ? .event : .replay
        let name = try await parts.useCases.actorName(last.recorded.origin.actor, for: webhook)
        guard let body = MessageBody(events.map(EventAnswer.init), by: name) else { return false }
        try parts.lead.confirm(term)
        let attempt = try await parts.sender.attempt(
            kind,
            body.message(to: webhook.settings),
            of: last.position,
            to: webhook,
            number: place.failures
        )
        let isDelivered = attempt.outcome.failure == nil
        if isDelivered {
            place.reach(last.position, in: place.stretch)
        } else {
            place.fail(attempt.outcome, at: parts.now(), parts.schedule, chance: parts.chance())
        }
        try await save(place, attempt, as: term)
        showFailing(isDelivered ? 0 : 1)
        if !isDelivered { try await giveUpIfHopeless(place, attempt.outcome) }
        return isDelivered
    }

    private func giveUpIfHopeless(
        _ place: WebhookProgress,
        _ outcome: SendingOutcome
    ) async throws {
        let failure = outcome.failure ?? ""
        if outcome.isGone {
            try await parts.useCases.giveUp(on: id, because: failure, as: term)
        } else if let since = place.failingSince, parts.useCases.trustsClock(),
            parts.schedule.isOver(since: since, failures: place.failures, at: parts.now())
        {
            let cause = "nothing could be delivered since \(since); the last time \(failure)"
            try await parts.useCases.giveUp(on: id, because: cause, as: term)
        }
    }

    private mutating func skip(
        to position: Position,
        in stretch: WebhookProgress.Stretch
    ) async throws {
        guard var place else { return }
        let isMoved = position > place.stretch.after
        let wasReplaying = place.replay != nil
        if isMoved { place.reach(position, in: stretch) }
        self.place = place
        guard isMoved && wasReplaying || isToBeWritten(place) else { return }
        try await save(place, nil, as: try parts.lead.confirm(term))
    }

    /// People look how far it has come, so what is not written down yet is little and young.
    private func isToBeWritten(_ place: WebhookProgress) -> Bool {
        let unwritten = place.delivered.rawValue - written.rawValue
        return unwritten >= Self.unwrittenMaximum
            || unwritten > 0 && parts.now() >= writtenAt.advanced(by: Self.unwrittenLifetime)
    }

    private mutating func progress(of webhook: Webhook) async throws -> WebhookProgress {
        if let place { return place }
        let found = try await parts.store.place(of: id) ?? WebhookProgress(of: webhook)
        place = found
        (written, writtenAt) = (found.delivered, parts.now())
        // That it can be read where it stands does not say that it goes on.
        showFailing(isFailing ? 1 : 0)
        return found
    }

    private mutating func save(
        _ place: WebhookProgress,
        _ attempt: Attempt?,
        as fence: Fence
    ) async throws {
        try await parts.store.save(place, of: id, attempt, as: fence)
        self.place = place
        (written, writtenAt) = (place.delivered, parts.now())
    }

    private mutating func report(_ sentence: String) {
        guard complaint != sentence, !Task.isCancelled else { return }
        complaint = sentence
        parts.logger.warning(
            "events cannot be sent to a webhook",
            metadata: ["webhook.id": "\(id)", "error": "\(sentence)"]
        )
    }

    /// What an operator is to be woken for: 1 while nothing can be delivered.
    private func showFailing(_ value: Int) {
        Gauge(label: "plimsoll.webhook.failing", dimensions: [("webhook", id.text)]).record(value)
    }
}

extension EventAnswer {
    package init(_ event: AuditedEvent) {
        self.init(
            event.recorded,
            app: event.app,
            change: event.change,
            fields: event.fields,
            replacing: event.predecessor
        )
    }
}

/// When what failed is tried again, and when no more.
package struct RetrySchedule: Equatable, Sendable {
    package var initialDelay = Duration.seconds(5)
    /// A receiver that comes back is not left waiting for longer than this.
    package var delayMaximum = Duration.seconds(3600)
    /// A receiver that fails for so long is given up, and people are told.
    package var patience = Duration.seconds(3 * 86_400)
    /// None is given up before so many attempts: time in which nobody tried says nothing of it.
    package var attemptsMinimum = 24

    package init() {}

    /// Half of the step for sure, the rest by chance, so that receivers that failed together are
    /// not all tried together.
    func delay(afterFailures failures: Int, asked: Duration?, chance: Double) -> Duration {
        let step = min(initialDelay * (1 << min(max(failures - 1, 0), 20)), delayMaximum)
        let delay = step / 2 + step / 2 * chance
        return asked.map { max(delay, min($0, delayMaximum)) } ?? delay
    }

    /// Whether a receiver has failed for too long.
    func isOver(since start: Instant, failures: Int, at now: Instant) -> Bool {
        failures >= attemptsMinimum && now >= start.advanced(by: patience)
    }
}

/// What came of sending something once.
package struct SendingOutcome: Equatable, Sendable {
    /// What was answered; `nil` where nothing was.
    package let status: Int?
    /// `nil` where it was delivered.
    package let failure: String?
    /// How long the receiver asks to be left alone.
    package let retryAfter: Duration?
    /// What the operator is told beyond the failure, which others read.
    package let innerCause: String?
    /// Whether the receiver says that there is nothing any more, and will not be.
    package var isGone: Bool { status == 410 }

    package init(
        status: Int?,
        failure: String?,
        retryAfter: Duration? = nil,
        innerCause: String? = nil
    ) {
        self.status = status
        self.failure = failure
        self.retryAfter = retryAfter
        self.innerCause = innerCause
    }

    static func failed(_ cause: String, because innerCause: String? = nil) -> SendingOutcome {
        SendingOutcome(status: nil, failure: cause, innerCause: innerCause)
    }

    init(_ answer: WebAnswer) {
        let failure: String? =
            switch answer.status {
            case 200...299: nil
            case 300...399: "it answered \(answer.status), and redirects are not followed"
            case 410: "it answered 410: there is nothing any more"
            default: "it answered \(answer.status)"
            }
        let seconds = answer.header("Retry-After").flatMap { Int64($0) }
        self.init(
            status: answer.status,
            failure: failure,
            retryAfter: seconds.flatMap { $0 > 0 ? .seconds($0) : nil }
        )
    }
}
