import Logging
import Metrics
package import PlimsollDocuments
package import PlimsollDomain
import PlimsollStore
import Synchronization

/// Brings one app's newest snapshot to one sink, and tries again after a failure.
///
/// Every sink has a queue of its own for every app, so that none waits for another: neither a sink
/// for one that is away, nor an app for one that is refused.
struct SinkQueue {
    private let app: AppSlug
    private let number: Int
    private let sink: any Sink
    private let outlet: SinkOutlet
    private let parts: ExporterParts
    private let logger: Logger

    /// What the sink has.
    private var taken: (record: PublicationRecord, turn: Int, proof: SnapshotProof?)?
    /// When it is told of that again.
    private var nextRepeat: ContinuousClock.Instant?
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
        let isTaken = taken.map { $0.record == offer.record && $0.turn >= offer.turn } ?? false
        if isTaken, taken?.proof == offer.proof { return await repeatIfDue(offer) }
        let now = parts.clocks().uptime
        if let failed, failed.record == offer.record, now < failed.until { return }
        let start = ContinuousClock.now
        do {
            if !isTaken {
                try await sink.take(offer.publication)
                nextRepeat = sink.repeatInterval.map { now + $0 }
            }
            if let proof = offer.proof { try await sink.take(proof, of: offer.publication) }
            succeeded(offer, after: isTaken ? nil : ContinuousClock.now - start)
        } catch {
            await fail(error, offer)
        }
    }

    /// Tells the sink again of what it has.
    private mutating func repeatIfDue(_ offer: SinkOutlet.Offer) async {
        let now = parts.clocks().uptime
        guard let due = nextRepeat, now >= due else { return }
        let start = ContinuousClock.now
        nextRepeat = sink.followsOthers ? nil : sink.repeatInterval.map { now + $0 }
        do {
            try await sink.take(offer.publication)
            if let proof = offer.proof { try await sink.take(proof, of: offer.publication) }
            if failed != nil { succeeded(offer, after: .now - start) }
        } catch  where sink.followsOthers {
            // Until it was told, caches may have what they fetched too early.
            await fail(error, offer)
            nextRepeat = failed?.until
        } catch {
            // It is away now, and still has what it took.
            logger.debug("a sink could not be told again", metadata: ["error": "\(error.reason)"])
        }
    }

    /// What this instance still owed, another one now brings.
    private mutating func withdrawn() {
        guard taken != nil || failed != nil else { return }
        if failed != nil { showFailing(nil) }
        (taken, nextRepeat, failed, causes) = (nil, nil, nil, [])
        backoff.succeed()
    }
}

// MARK: - Outcomes

extension SinkQueue {
    /// Counts publications, and takes their time: a proof that came later has none.
    private mutating func succeeded(_ offer: SinkOutlet.Offer, after duration: Duration?) {
        let isNew = taken?.record != offer.record
        taken = (offer.record, offer.turn, offer.proof)
        if failed != nil { logger.info("the sink takes snapshots again") }
        (failed, causes) = (nil, [])
        backoff.succeed()
        showFailing(nil)
        if let duration {
            Counter(label: "plimsoll.sink.taken", dimensions: [("sink", sink.name)]).increment()
            Timer(label: "plimsoll.sink.duration", dimensions: [("sink", sink.name)])
                .record(duration: duration)
        }
        logger.debug(
            "a sink took a snapshot over",
            metadata: ["snapshot.sequence": "\(offer.record.sequence)"]
        )
        if isNew { outlet.taken(bySink: number) }
    }

    /// What an operator is to be woken for: 1 while the sink does not have the newest documents.
    private func showFailing(_ refusal: SinkRefusal?) {
        parts.state.show(app, sink.name, refusal)
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
            let fence = try parts.publisher.lead.confirm()
            try await parts.publisher.ledger
                .failed(failure, offer.record.sequence, of: app, as: fence)
        } catch {
            causes.remove(failure.cause)
            logger.debug("the failure could not be recorded", metadata: ["error": "\(error)"])
        }
    }
}

/// A part of this process that reads the export directory, such as its edge.
///
/// It is told before the sinks and waited for: it costs microseconds, and what the log calls
/// published is then served.
package struct LocalReader: Sendable {
    let look: @Sendable (AppSlug) async -> Void

    /// Takes what has it look at the directory.
    package init(_ look: @escaping @Sendable (AppSlug) async -> Void) {
        self.look = look
    }
}

/// What a sink is brought: a snapshot, and what has become of the keys of its app.
package struct Publication: Sendable {
    package let snapshot: VerifiedSnapshot
    /// The keys that signed once and do not now, in the order of their ids: nothing is found at
    /// their addresses any more.
    package let formerKeys: [KeyID]
    /// The keys that somebody else may have: nothing that they signed is kept.
    package let revokedKeys: Set<KeyID>

    /// Takes the app's keys, those of former times too.
    package init(_ snapshot: VerifiedSnapshot, keys: [Key]) {
        self.init(
            snapshot,
            formerKeys: keys.filter { $0.state != .active && $0.firstActivated != nil }
                .map(\.record.id).sorted(),
            revokedKeys: Set(keys.filter { $0.state == .compromised }.map(\.record.id))
        )
    }

    package init(
        _ snapshot: VerifiedSnapshot,
        formerKeys: [KeyID] = [],
        revokedKeys: Set<KeyID> = []
    ) {
        self.snapshot = snapshot
        self.formerKeys = formerKeys
        self.revokedKeys = revokedKeys
    }
}

/// Somewhere that published documents go to, besides the export directory.
///
/// A sink is told after `current` was switched, and again after a start or a failure: taking the
/// same snapshot twice MUST be harmless. Nobody waits for it, so it may take its time, but it
/// MUST come to an end by itself.
package protocol Sink: Sendable {
    /// What it is called in the record and in metrics, such as `store s3://config/live`; no two
    /// sinks of one exporter have the same name.
    var name: String { get }

    /// Whether it is told again each time a sink before it has taken over.
    ///
    /// A cache that was emptied before its origin had the new bytes fills itself with the old.
    var followsOthers: Bool { get }

    /// How long after it took something over it is told of the same again, while nothing is new;
    /// `nil` where it is not.
    ///
    /// One that follows others is told once more, any other again and again.
    var repeatInterval: Duration? { get }

    /// Takes over what is current now. The error's phrase is the same for the same failure.
    func take(_ publication: Publication) async throws(SinkRefusal)

    /// Takes over the proof of what it has, which comes later, and a better one later still.
    func take(_ proof: SnapshotProof, of publication: Publication) async throws(SinkRefusal)
}

extension Sink {
    /// Not every sink has files.
    package func take(
        _ proof: SnapshotProof,
        of publication: Publication
    ) async throws(SinkRefusal) {}
}

/// Why a sink did not take a snapshot.
package struct SinkRefusal: Error, Hashable, Sendable {
    package let reason: String

    package init(_ reason: String) {
        self.reason = reason
    }
}

/// Hands an app's newest snapshot to the queues of all sinks, in their order, and waits for none.
///
/// It holds one snapshot: what was overtaken before a sink came to it is skipped.
final class SinkOutlet: Sendable {
    /// What a sink is to have.
    struct Offer {
        let publication: Publication
        let record: PublicationRecord
        let proof: SnapshotProof?
        /// Rises when the same snapshot is to be told again.
        let turn: Int
    }

    private struct State {
        var newest: (publication: Publication, record: PublicationRecord)?
        var proof: SnapshotProof?
        var turns: [Int]
    }

    private let sinks: [any Sink]
    private let wakers: [AsyncStream<Void>.Continuation]
    private let state: Mutex<State>

    /// One stream of wakes for each sink; wakes that were not taken yet are one.
    let wakes: [AsyncStream<Void>]

    init(_ sinks: [any Sink]) {
        let streams = sinks.map { _ in
            AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        }
        self.sinks = sinks
        wakes = streams.map(\.stream)
        wakers = streams.map(\.continuation)
        state = Mutex(State(turns: sinks.map { _ in 0 }))
    }

    /// Has every sink take the publication over.
    func offer(_ publication: Publication) {
        let record = PublicationRecord(publication.snapshot)
        state.withLock { $0.newest = (publication, record) }
        wake()
    }

    /// Has every sink take over the proof of what it was offered.
    func offer(_ proof: SnapshotProof) {
        state.withLock { $0.proof = proof }
        wake()
    }

    /// Nothing is to be taken over any more: another instance tells the sinks now.
    func withdraw() {
        state.withLock { $0.newest = nil }
    }

    /// Has the sinks look whether something waits, or may be tried again.
    func wake() {
        for waker in wakers { waker.yield() }
    }

    func finish() {
        for waker in wakers { waker.finish() }
    }

    /// What the sink of this number is to have; `nil` while there is nothing.
    func offer(toSink number: Int) -> Offer? {
        state.withLock { state in
            guard let newest = state.newest else { return nil }
            return Offer(
                publication: newest.publication,
                record: newest.record,
                proof: state.proof.flatMap { $0.record == newest.record ? $0 : nil },
                turn: state.turns[number]
            )
        }
    }

    /// The sink of this number took over: whoever follows it is told again.
    func taken(bySink number: Int) {
        for follower in sinks.indices where follower > number && sinks[follower].followsOthers {
            state.withLock { $0.turns[follower] += 1 }
            wakers[follower].yield()
        }
    }
}
