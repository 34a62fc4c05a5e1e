import Logging
import Metrics
import PlimsollDocuments
import PlimsollDomain
package import PlimsollPostgres
import PlimsollSystem
import ServiceLifecycle

/// One exporter's time at work: holds the lock, and hands every app's newest edition to its lane.
struct ExporterTerm {
    private let book: PublicationQueue
    private let parts: ExporterParts
    private let intervals: ExporterIntervals
    private var lanes: [AppSlug: AsyncStream<Offer>.Continuation] = [:]
    private var outlets: [AppSlug: SinkOutlet] = [:]
    private var logLane: AsyncStream<LogQueue.Offer>.Continuation?
    private var isHolding = false
    /// How often the lock was taken.
    private var term = 0
    /// How far the log had come when the lock was taken; before the book knows that much, what
    /// it holds may be older than what another exporter has published.
    private var head: Position?
    private var round = 0
    private var nextPatrol = ContinuousClock.now
    private var publishedKeys: Keyring?
    private var nextCheck = ContinuousClock.now
    /// What the exporter cannot work for, as it was last reported.
    private var trouble: String?

    init(_ book: PublicationQueue, _ parts: ExporterParts, _ intervals: ExporterIntervals) {
        self.book = book
        self.parts = parts
        self.intervals = intervals
    }

    /// Does what is due; called at each wake.
    mutating func work(_ group: inout DiscardingTaskGroup) async {
        await hold()
        // A store may come back while the database is away.
        for outlet in outlets.values { outlet.wake() }
        guard isHolding, let head else { return }
        let page = book.latest
        guard page.logState.position >= head else { return }
        offerLog(page.logState.position, &group)
        if ContinuousClock.now >= nextPatrol {
            round += 1
            nextPatrol = .now + intervals.patrol
            publishedKeys = nil
        }
        let keysFailure = await publishKeys(of: page)
        for edition in page.editions {
            let offer = Offer(
                edition: edition,
                published: page.logState.publication(of: edition.app),
                keysFailure: keysFailure,
                round: round,
                term: term
            )
            lane(of: edition.app, &group).yield(offer)
        }
    }

    /// Lets the lanes finish what they are at.
    func end() {
        for lane in lanes.values { lane.finish() }
        for outlet in outlets.values { outlet.finish() }
        logLane?.finish()
    }

    /// Takes the lock if it is free, and sees from time to time whether it is still held.
    private mutating func hold() async {
        guard ContinuousClock.now >= nextCheck else { return }
        nextCheck = .now + intervals.check / 2
        do {
            let wasHolding = isHolding
            isHolding = try await takeLock()
            if !wasHolding { head = nil }
            if !isHolding { withdraw() }
            if isHolding, head == nil { try await begin() }
            trouble = nil
            parts.board.show(trouble: nil)
        } catch {
            if error is PostgresError || error is SigningKeyError { isHolding = false }
            if error is SigningKeyError { withdraw() }
            report("\(error)")
        }
        guard isHolding != parts.board.latest.isExporting else { return }
        parts.board.show(isExporting: isHolding)
        Gauge(label: "plimsoll.exporter.active").record(isHolding ? 1 : 0)
        parts.logger.info(isHolding ? "exporting" : "waiting for the exporter's lock")
    }

    /// Leaves the lock to others while this instance has none of the keys that sign.
    ///
    /// One of several is enough to begin with: the other apps' failures are then recorded.
    private func takeLock() async throws -> Bool {
        let needed = book.latest.editions.flatMap(\.activeKeys)
        let (disk, keys) = (parts.publisher.disk, parts.publisher.keys)
        let missing = try await disk.run { () throws(SigningKeyError) in
            try keys.missing(of: needed)
        }
        guard let first = missing.first, missing.count == needed.count else {
            return try await parts.publisher.lock.holdIfFree()
        }
        await parts.publisher.lock.release()
        throw SigningKeyError.missing(first.id, keys.path(of: first))
    }

    /// Another one may have published meanwhile: all that is known is read again.
    private mutating func begin() async throws {
        let (disk, store) = (parts.publisher.disk, parts.publisher.store)
        try await disk.run { () throws(FileError) in try store.prepare() }
        head = try await parts.publisher.ledger.head()
        nextPatrol = .now
        term += 1
    }

    private mutating func report(_ sentence: String) {
        guard trouble != sentence, !Task.isCancelled else { return }
        trouble = sentence
        parts.board.show(trouble: sentence)
        parts.logger.error("the exporter cannot work", metadata: ["error": "\(sentence)"])
    }

    /// Leaves the sinks to whoever has the lock now.
    private func withdraw() {
        for outlet in outlets.values { outlet.withdraw() }
    }

    /// Publishes the keys that the log knows; answers why it could not.
    private mutating func publishKeys(of page: PublicationQueue.Page) async -> FileError? {
        let keyring = page.logState.keyring
        guard keyring != publishedKeys else { return nil }
        let (disk, store) = (parts.publisher.disk, parts.publisher.store)
        do {
            try await disk.run { () throws(FileError) in
                try store.publish(PublishedKeys(keyring))
            }
            publishedKeys = keyring
            return nil
        } catch {
            return error
        }
    }

    /// Has a checkpoint published over all that is there.
    private mutating func offerLog(_ position: Position, _ group: inout DiscardingTaskGroup) {
        guard let publisher = parts.logPublisher else { return }
        if logLane == nil {
            let (offers, lane) = AsyncStream<LogQueue.Offer>.makeStream(
                bufferingPolicy: .bufferingNewest(1)
            )
            logLane = lane
            let (parts, interval) = (parts, intervals.checkpoint)
            group.addTask(name: "exporter log lane") {
                var lane = LogQueue(publisher, every: interval, parts)
                await lane.run(offers)
            }
        }
        logLane?.yield(LogQueue.Offer(position: position, term: term))
    }

    private mutating func lane(
        of app: AppSlug,
        _ group: inout DiscardingTaskGroup
    ) -> AsyncStream<Offer>.Continuation {
        if let lane = lanes[app] { return lane }
        // Only the newest edition counts.
        let (offers, lane) = AsyncStream<Offer>.makeStream(bufferingPolicy: .bufferingNewest(1))
        lanes[app] = lane
        let parts = parts
        let outlet = outlet(of: app, &group)
        group.addTask(name: "exporter lane \(app)") {
            var lane = AppPublisher(app, outlet, parts)
            await lane.run(offers)
        }
        return lane
    }

    private mutating func outlet(
        of app: AppSlug,
        _ group: inout DiscardingTaskGroup
    ) -> SinkOutlet {
        let outlet = SinkOutlet(parts.sinks)
        outlets[app] = outlet
        let parts = parts
        for (number, sink) in parts.sinks.enumerated() {
            group.addTask(name: "exporter sink \(sink.name) \(app)") {
                // A store may take long, and what is not taken over now is at the next start.
                await cancelWhenGracefulShutdown {
                    var lane = SinkQueue(number, app, outlet, parts)
                    await lane.run()
                }
            }
        }
        return outlet
    }
}

extension AdvisoryLock {
    /// Lets one exporter of a database work at a time.
    package static func ofExporter(on connection: ConnectionString) -> AdvisoryLock {
        // It spells "PlimExpt".
        AdvisoryLock(0x506C_696D_4578_7074, named: "plimsoll exporter", on: connection)
    }
}
