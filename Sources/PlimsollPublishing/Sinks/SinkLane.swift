import Logging
import Metrics
import PlimsollDocuments
import PlimsollDomain

/// Brings one app's newest snapshot to one sink, and tries again after a failure.
///
/// Every sink has a lane of its own for every app, so that none waits for another: neither a sink
/// for one that is away, nor an app for one that is refused.
struct SinkLane {
    private let app: AppSlug
    private let number: Int
    private let sink: any Sink
    private let outlet: SinkOutlet
    private let parts: ExporterParts
    private let logger: Logger

    /// What the sink has.
    private var taken: (record: PublicationRecord, turn: Int)?
    private var backoff = Backoff()
    /// What failed last, and when it may be tried again.
    private var failed: (record: PublicationRecord, until: ContinuousClock.Instant)?
    private var causes: Set<String> = []

    init(_ number: Int, _ app: AppSlug, _ outlet: SinkOutlet, _ parts: ExporterParts) {
        self.app = app
        self.number = number
        self.outlet = outlet
        self.parts = parts
        sink = parts.sinks[number]
        var logger = parts.logger
        logger[metadataKey: "app.slug"] = "\(app)"
        logger[metadataKey: "sink.name"] = "\(sink.name)"
        self.logger = logger
    }

    mutating func run() async {
        for await _ in outlet.wakes[number] {
            guard let offer = outlet.offer(toSink: number) else {
                withdrawn()
                continue
            }
            await consider(offer)
        }
    }

    private mutating func consider(_ offer: SinkOutlet.Offer) async {
        if let taken, taken.record == offer.record, taken.turn >= offer.turn { return }
        let now = parts.clocks().uptime
        if let failed, failed.record == offer.record, now < failed.until { return }
        let start = ContinuousClock.now
        do {
            try await sink.take(offer.publication)
            succeeded(offer, after: .now - start)
        } catch {
            await fail(error, offer)
        }
    }

    /// What this instance still owed, another one now brings.
    private mutating func withdrawn() {
        guard taken != nil || failed != nil else { return }
        if failed != nil { showFailing(nil) }
        (taken, failed, causes) = (nil, nil, [])
        backoff.succeed()
    }
}

// MARK: - Outcomes

extension SinkLane {
    private mutating func succeeded(_ offer: SinkOutlet.Offer, after duration: Duration) {
        let isNew = taken?.record != offer.record
        taken = (offer.record, offer.turn)
        if failed != nil { logger.info("the sink takes snapshots again") }
        (failed, causes) = (nil, [])
        backoff.succeed()
        showFailing(nil)
        Counter(label: "plimsoll.sink.taken", dimensions: [("sink", sink.name)]).increment()
        Timer(label: "plimsoll.sink.duration", dimensions: [("sink", sink.name)])
            .record(duration: duration)
        logger.debug(
            "a sink took a snapshot over",
            metadata: ["snapshot.sequence": "\(offer.record.sequence)"]
        )
        if isNew { outlet.taken(bySink: number) }
    }

    /// What an operator is to be woken for: 1 while the sink does not have the newest documents.
    private func showFailing(_ refusal: SinkRefusal?) {
        parts.board.show(app, sink.name, refusal)
        Gauge(
            label: "plimsoll.sink.failing",
            dimensions: [("sink", sink.name), ("app", app.text)]
        ).record(refusal == nil ? 0 : 1)
    }

    private mutating func fail(_ refusal: SinkRefusal, _ offer: SinkOutlet.Offer) async {
        guard !Task.isCancelled else { return }
        if failed?.record != offer.record { causes = [] }
        failed = (offer.record, parts.clocks().uptime + backoff.fail())
        Counter(label: "plimsoll.sink.failed", dimensions: [("sink", sink.name)]).increment()
        showFailing(refusal)
        let failure = PublicationFailure.sink(name: sink.name, reason: refusal.reason)
        guard causes.insert(failure.cause).inserted else { return }
        logger.error(
            "a sink did not take a snapshot; it is tried again",
            metadata: [
                "snapshot.sequence": "\(offer.record.sequence)", "error": "\(refusal.reason)",
            ]
        )
        do {
            try await parts.press.ledger.failed(failure, offer.record.sequence, of: app)
        } catch {
            causes.remove(failure.cause)
            logger.debug("the failure could not be recorded", metadata: ["error": "\(error)"])
        }
    }
}
