import Logging
import Metrics
import PlimsollDocuments
import PlimsollDomain
import PlimsollPostgres
import PlimsollSystem
import PlimsollStore
import ServiceLifecycle

/// This instance hears nothing of the log, so that another one has to publish.
private struct LogSilent: Error, CustomStringConvertible {
    var description: String { "the log says nothing to this instance" }
}

/// One exporter's time at work: leads, and hands every app's newest edition to its publisher.
struct ExporterTerm {
    private let book: PublicationQueue
    private let parts: ExporterParts
    private let intervals: ExporterIntervals
    private var offers: [AppSlug: AsyncStream<Offer>.Continuation] = [:]
    private var outlets: [AppSlug: SinkOutlet] = [:]
    private var logOffers: AsyncStream<LogQueue.Offer>.Continuation?
    private var sweepTimes: AsyncStream<Instant?>.Continuation?
    private var isHolding = false
    /// How often the lease was taken.
    private var term = 0
    /// The epoch in which this instance leads, and has the folder to itself.
    private var epoch: Epoch?
    /// A later leader than this one, seen in the folder.
    private var seen = Epoch.none
    /// How far the log had come when the lease was taken; before the book knows that much, what
    /// it holds may be older than what another exporter has published.
    private var head: Position?
    private var round = 0
    private var nextScrub = ContinuousClock.now
    private var publishedKeys: Keyring?
    private var nextCheck = ContinuousClock.now
    /// What the exporter cannot work for, as it was last reported.
    private var trouble: String?

    /// It looks once a second; a leader that hears nothing gives way to one that may hear more.
    private static let silenceMaximum: Duration = .milliseconds(2500)

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
        if ContinuousClock.now >= nextScrub {
            round += 1
            nextScrub = .now + intervals.scrub
            publishedKeys = nil
            offerSweep(&group)
        }
        offerLog(page.logState.position, &group)
        let keysFailure = await publishKeys(of: page)
        for edition in page.editions {
            let offer = Offer(
                edition: edition,
                published: page.logState.publication(of: edition.app),
                keysFailure: keysFailure,
                round: round,
                term: term
            )
            offers(to: edition.app, &group).yield(offer)
        }
    }

    /// Lets those at work finish what they are at.
    func end() {
        for app in offers.values { app.finish() }
        for outlet in outlets.values { outlet.finish() }
        logOffers?.finish()
        sweepTimes?.finish()
        Gauge(label: "plimsoll.exporter.active").record(0)
    }

    /// Takes the lease if it is free, and sees from time to time whether it is still held.
    private mutating func hold() async {
        guard ContinuousClock.now >= nextCheck else { return }
        nextCheck = .now + intervals.check / 2
        var failure: String?
        do {
            let wasHolding = isHolding
            isHolding = try await takeLease()
            let epoch = isHolding ? parts.publisher.lead.epoch : nil
            if !wasHolding || epoch != self.epoch { head = nil }
            self.epoch = epoch
            if !isHolding { withdraw() }
            if let epoch, try await isEmptied(epoch) { head = nil }
            if let epoch, head == nil { try await begin(epoch) }
            trouble = nil
            parts.state.show(trouble: nil)
        } catch {
            if let later = error as? ExportSuperseded { await giveWay(to: later) }
            isHolding = isHolding && parts.publisher.lead.epoch != nil
            if error is SigningKeyError || error is ExportSuperseded || error is LogSilent {
                withdraw()
            }
            failure = "\(error)"
        }
        showHolding()
        if let failure { report(failure) }
    }

    private func showHolding() {
        guard isHolding != parts.state.latest.isExporting else { return }
        parts.state.show(isExporting: isHolding)
        Gauge(label: "plimsoll.exporter.active").record(isHolding ? 1 : 0)
        parts.logger.info(isHolding ? "exporting" : "waiting for the exporter's lease")
    }

    /// Leaves the lease to others while this instance has none of the keys that sign.
    ///
    /// One of several is enough to begin with: the other apps' failures are then recorded.
    private func takeLease() async throws -> Bool {
        guard parts.publisher.silence() < Self.silenceMaximum else {
            await parts.publisher.lead.release()
            throw LogSilent()
        }
        let needed = book.latest.editions.flatMap(\.activeKeys)
        let (disk, keys) = (parts.publisher.disk, parts.publisher.keys)
        let faults = await disk.run { needed.compactMap(keys.fault) }
        guard let first = faults.first, faults.count == needed.count else {
            if parts.publisher.lead.epoch != nil { return true }
            return try await parts.publisher.lead.takeIfFree(above: seen)
        }
        await parts.publisher.lead.release()
        throw first
    }

    /// Whether somebody has emptied the folder meanwhile.
    private func isEmptied(_ epoch: Epoch) async throws -> Bool {
        guard head != nil else { return false }
        let (disk, store) = (parts.publisher.disk, parts.publisher.store)
        let isEmptied = try await disk.run { () throws in
            try store.isEmptied(in: ExportTerm(epoch, in: store.folder))
        }
        if isEmptied { parts.logger.error("the export folder was emptied, and is written anew") }
        return isEmptied
    }

    /// Another one may have published meanwhile, or the folder is empty: all is read again.
    private mutating func begin(_ epoch: Epoch) async throws {
        let (disk, store) = (parts.publisher.disk, parts.publisher.store)
        try await disk.run { () throws in
            try ExportTerm(epoch, in: store.folder).begin()
            try store.prepare()
        }
        head = try await parts.publisher.ledger.head()
        nextScrub = .now
        term += 1
    }

    private mutating func report(_ sentence: String) {
        guard trouble != sentence, !Task.isCancelled else { return }
        trouble = sentence
        parts.state.show(trouble: sentence)
        parts.logger.error("the exporter cannot work", metadata: ["error": "\(sentence)"])
    }

    /// The folder has seen a later leader, as where it was written to from another database.
    private mutating func giveWay(to later: ExportSuperseded) async {
        seen = max(seen, later.latest ?? .none)
        await parts.publisher.lead.release()
    }

    /// Leaves the sinks to whoever leads now, and to say what fails.
    private func withdraw() {
        for outlet in outlets.values { outlet.withdraw() }
        for app in offers.keys {
            AppPublisher.show(isFailing: false, app)
            AppPublisher.show(isWithheld: false, app)
        }
        for task in ["log.checkpoint", "snapshot.proof"] {
            Gauge(label: "plimsoll.\(task).failing").record(0)
        }
    }

    /// Publishes the keys that the log knows; answers why it could not.
    private mutating func publishKeys(of page: PublicationQueue.Page) async -> FileError? {
        let keyring = page.logState.keyring
        guard keyring != publishedKeys, let epoch else { return nil }
        let (disk, store) = (parts.publisher.disk, parts.publisher.store)
        do {
            try await disk.run { () throws in
                try store.publish(PublishedKeys(keyring), in: ExportTerm(epoch, in: store.folder))
            }
            publishedKeys = keyring
            return nil
        } catch let error as FileError {
            return error
        } catch {
            report("\(error)")
            return nil
        }
    }

    /// Has old snapshots swept.
    private mutating func offerSweep(_ group: inout DiscardingTaskGroup) {
        if sweepTimes == nil {
            let (times, continuation) = AsyncStream<Instant?>.makeStream(
                bufferingPolicy: .bufferingNewest(1)
            )
            sweepTimes = continuation
            let (publisher, parts) = (parts.publisher, parts)
            group.addTask(name: SnapshotSweeper.task) {
                var sweeper = SnapshotSweeper(
                    publisher.store,
                    parts.retention,
                    publisher.lead,
                    parts.logger
                )
                await sweeper.run(times)
            }
        }
        sweepTimes?.yield(parts.trustsClock() ? parts.clocks().wall : nil)
    }

    /// Has a checkpoint published over all that is there.
    private mutating func offerLog(_ position: Position, _ group: inout DiscardingTaskGroup) {
        guard let publisher = parts.logPublisher else { return }
        if logOffers == nil {
            let (offers, continuation) = AsyncStream<LogQueue.Offer>.makeStream(
                bufferingPolicy: .bufferingNewest(1)
            )
            logOffers = continuation
            let (parts, interval) = (parts, intervals.checkpoint)
            group.addTask(name: "exporter log") {
                var log = LogQueue(publisher, every: interval, parts)
                await log.run(offers)
            }
        }
        logOffers?.yield(LogQueue.Offer(position: position, term: term, round: round))
    }

    private mutating func offers(
        to app: AppSlug,
        _ group: inout DiscardingTaskGroup
    ) -> AsyncStream<Offer>.Continuation {
        if let continuation = offers[app] { return continuation }
        // Only the newest edition counts.
        let (editions, continuation) = AsyncStream<Offer>.makeStream(
            bufferingPolicy: .bufferingNewest(1)
        )
        offers[app] = continuation
        let parts = parts
        let outlet = outlet(of: app, &group)
        group.addTask(name: "exporter publisher \(app)") {
            var publisher = AppPublisher(app, outlet, parts)
            await publisher.run(editions)
        }
        return continuation
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
                    var queue = SinkQueue(number, app, outlet, parts)
                    await queue.run()
                }
            }
        }
        return outlet
    }
}
