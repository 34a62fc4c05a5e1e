import Logging
import Metrics
import PlimsollDocuments
import PlimsollDomain
import PlimsollPostgres
import PlimsollStore
import PlimsollSystem

/// Brings one app's editions to phones, the newest first, and tries again after a failure.
///
/// Every app has a publisher of its own, so that none waits for the failure of another. Editions that
/// were overtaken while one was under way are skipped.
struct AppPublisher {
    private let app: AppSlug
    private let parts: ExporterParts
    private let outlet: SinkOutlet
    private let logger: Logger

    /// What `current` leads to, once it was checked.
    private var standing: VerifiedSnapshot? {
        didSet { standingRecord = standing.map(PublicationRecord.init) }
    }
    private var standingRecord: PublicationRecord?
    /// What was switched to, until all that follows is done as well.
    private var switched: SnapshotSequence?
    /// Whether the link is known to last through a power cut.
    private var isLinkDurable = false
    /// The round in which `standing` was read.
    private var round: Int?
    private var recorded: PublicationRecord?
    /// What readers and sinks were told of, and in which term.
    private var told: PublicationRecord?
    private var toldProof: SnapshotProof?
    private var term: Int?

    private var backoff = Backoff()
    /// What failed last, and when it may be tried again.
    private var failed: (sequence: SnapshotSequence, until: ContinuousClock.Instant)?
    /// The room that it had, where it was too little.
    private var fullDisk: DiskRoom?
    /// What was current and cannot be mended, until another one is.
    private var damaged: SnapshotSequence?
    /// Whether more is published than the log has come to: every order of now would be one of the
    /// numbers that are taken.
    private var isOvertaken = false
    private var isWithheld = false
    /// What a log that was given up had published, until all that is current is dated above it.
    private var passed: SnapshotSequence?
    private var causes: Set<String> = []
    private var nextRenewal: ContinuousClock.Instant?

    init(_ app: AppSlug, _ outlet: SinkOutlet, _ parts: ExporterParts) {
        self.app = app
        self.outlet = outlet
        self.parts = parts
        var logger = parts.logger
        logger[metadataKey: "app.slug"] = "\(app)"
        self.logger = logger
    }

    mutating func run(_ offers: AsyncStream<Offer>) async {
        for await offer in offers {
            await consider(offer)
            if !isOvertaken { await renewIfOld(offer.edition) }
        }
    }

    private mutating func consider(_ offer: Offer) async {
        let sequence = offer.edition.order.sequence
        if let failed, failed.sequence == sequence, ContinuousClock.now < failed.until {
            guard fullDisk?.hasGrown ?? false else { return }
        }
        fullDisk = nil
        let room = DiskRoom(at: parts.publisher.store.folder.root)
        do {
            let start = ContinuousClock.now
            if try await bring(offer) { succeeded(sequence, after: .now - start) }
            parts.state.show(app, .published(sequence))
            if failed != nil { Self.show(isFailing: false, app) }
            (failed, isOvertaken) = (nil, false)
            backoff.succeed()
        } catch let failure as PublicationFailure {
            await fail(failure, sequence)
            if case .disk(let error) = failure, error.isOutOfSpace { fullDisk = room }
            await renewIfPassed(failure)
        } catch {
            interrupted(error, sequence)
        }
    }
}

// MARK: - Publishing

extension AppPublisher {
    /// Makes every step that is still to be made; after a failure, from that step on.
    ///
    /// Answers whether that ends the publication of something else than was current before.
    private mutating func bring(_ offer: Offer) async throws -> Bool {
        let edition = offer.edition
        if term != offer.term { (term, told, toldProof) = (offer.term, nil, nil) }
        if let error = offer.keysFailure { throw PublicationFailure.keysNotPublished(error) }
        if let logged = offer.published, recorded.map({ $0.sequence < logged.sequence }) ?? true {
            recorded = logged
        }
        if round != offer.round {
            recorded = offer.published ?? recorded
            standing = try await standing(before: edition)
            round = offer.round
            isLinkDurable = false
            try await recordStanding()
        }
        if standingRecord?.sequence != edition.order.sequence {
            let prepared = try await parts.publisher.prepare(edition, keeping: standing)
            if let standing, prepared.isDatedBelow(standing) {
                passed = max(passed ?? standing.sequence, standing.sequence)
            }
            if let passed, prepared.files.allSatisfy({ $0.description.sequence > passed }) {
                self.passed = nil
            }
            if passed != nil { await renewIfOld(edition) }
            (isLinkDurable, told) = (false, nil)
            try await parts.publisher.switchCurrent(to: edition)
            (standing, switched) = (prepared, edition.order.sequence)
            if let damaged { try await parts.publisher.putAside(damaged, of: app) }
            damaged = nil
        }
        if let standing, told != standingRecord {
            try await parts.publisher.tellReaders(of: app)
            outlet.offer(Publication(standing, keys: edition.keys))
            told = standingRecord
        }
        if !isLinkDurable {
            try await parts.publisher.makeCurrentLast()
            isLinkDurable = true
        }
        try await recordStanding()
        try await tellProof()
        defer { switched = nil }
        return switched == edition.order.sequence
    }

    /// Tells of the proof of what is current, which comes when a checkpoint covers the record of it.
    private mutating func tellProof() async throws {
        guard let record = standingRecord, let proof = parts.proofs.proof(of: app, record),
            proof != toldProof
        else { return }
        try await parts.publisher.tellReaders(of: app)
        outlet.offer(proof)
        toldProof = proof
    }

    /// What is current; where that is damaged it is written anew, with the same bytes if these are to
    /// be had, else as another snapshot.
    private mutating func standing(before edition: Edition) async throws -> VerifiedSnapshot? {
        do throws(PublicationFailure) {
            return try await parts.publisher.standing(before: edition)
        } catch {
            guard case .damaged(let sequence, _, let reason) = error else { throw error }
            try parts.publisher.lead.confirm()
            guard let mended = try await parts.publisher.mend(edition) else {
                damaged = sequence
                await orderRenewal(after: sequence, "what is published is damaged")
                throw error
            }
            Counter(label: "plimsoll.snapshots.mended").increment()
            logger.error(
                "what is published was damaged and is mended",
                metadata: ["snapshot.sequence": "\(sequence)", "damage": "\(reason)"]
            )
            return mended
        }
    }

    /// Tells the log what is published, unless it knows.
    ///
    /// A snapshot that was lost and written again has other signatures, so the log is told of it
    /// although it knows the number.
    private mutating func recordStanding() async throws {
        guard let record = standingRecord else { return }
        if let recorded, recorded == record || recorded.sequence > record.sequence { return }
        let isAgain = recorded?.sequence == record.sequence
        try await parts.publisher.ledger.published(
            record,
            of: app,
            isAgain ? .again : .first,
            as: try parts.publisher.lead.confirm()
        )
        recorded = record
    }
}

// MARK: - Renewing

extension AppPublisher {
    /// Orders the same content anew when half of its life is over, unless the clock that says so
    /// cannot be relied on: what it dates would be from the future, or from the past.
    private mutating func renewIfOld(_ edition: Edition) async {
        guard passed != nil || edition.isDue(at: parts.clocks().wall) else {
            if isWithheld { showWithheld(false) }
            return
        }
        let reason =
            passed == nil
            ? "half of its life is over" : "a log that was given up had dated a document later"
        await orderRenewal(after: edition.order.sequence, reason)
    }

    private mutating func orderRenewal(after sequence: SnapshotSequence, _ reason: String) async {
        let now = parts.clocks()
        guard nextRenewal.map({ now.uptime >= $0 }) ?? true else { return }
        nextRenewal = now.uptime + ExporterParts.renewalRetryInterval
        do {
            let fence = try parts.publisher.lead.confirm()
            guard isTimeKnown(now) else { return }
            try await parts.publisher.ledger.orderRenewal(of: app, after: sequence, as: fence)
            nextRenewal = now.uptime + ExporterParts.renewalInterval
            logger.info("ordered a renewal", metadata: ["reason": "\(reason)"])
        } catch {
            logger.warning("a renewal could not be ordered", metadata: ["error": "\(error)"])
        }
    }

    /// Whether the clock may date a document; told to the operator where it may not.
    private mutating func isTimeKnown(_ now: ClockReading) -> Bool {
        let isTrusted = parts.trustsClock()
        showWithheld(!isTrusted)
        if !isTrusted {
            logger.warning(
                "no renewal is ordered while the clock is in doubt",
                metadata: ["clock.now": "\(now.wall)"]
            )
        }
        return isTrusted
    }
}

extension AppPublisher {
    /// Orders the same content anew once the log has come to numbers that were not published by
    /// one that was given up; until then an order would have one of those.
    private mutating func renewIfPassed(_ failure: PublicationFailure) async {
        guard case .ahead(let published, let ordered) = failure else { return }
        let now = parts.clocks()
        do {
            let fence = try parts.publisher.lead.confirm()
            let head = try await parts.publisher.ledger.head()
            guard head.rawValue >= published.rawValue, isTimeKnown(now) else { return }
            try await parts.publisher.ledger.orderRenewal(of: app, after: ordered, as: fence)
            logger.info("ordered a renewal above what was published before")
        } catch {
            logger.warning("a renewal could not be ordered", metadata: ["error": "\(error)"])
        }
    }
}

extension VerifiedSnapshot {
    /// Whether a log that was given up had dated a document later than this one does: phones that saw
    /// that refuse this.
    fileprivate func isDatedBelow(_ former: VerifiedSnapshot) -> Bool {
        files.map(\.description).contains { file in
            former.files.map(\.description).contains {
                $0.name == file.name && $0.sequence > file.sequence
            }
        }
    }
}

// MARK: - Outcomes

extension AppPublisher {
    private func succeeded(_ sequence: SnapshotSequence, after duration: Duration) {
        Counter(label: "plimsoll.snapshots.published").increment()
        Timer(label: "plimsoll.snapshot.publication.duration").record(duration: duration)
        logger.info("published a snapshot", metadata: ["snapshot.sequence": "\(sequence)"])
    }

    private mutating func showWithheld(_ isWithheld: Bool) {
        self.isWithheld = isWithheld
        Self.show(isWithheld: isWithheld, app)
    }

    /// 1 while documents grow old because nobody knows what time it is.
    static func show(isWithheld: Bool, _ app: AppSlug) {
        Gauge(label: "plimsoll.renewal.withheld", dimensions: [("app", app.text)])
            .record(isWithheld ? 1 : 0)
    }

    /// What an operator is to be woken for: 1 while the app's newest documents are not published.
    static func show(isFailing: Bool, _ app: AppSlug) {
        Gauge(label: "plimsoll.snapshot.failing", dimensions: [("app", app.text)])
            .record(isFailing ? 1 : 0)
    }

    private mutating func fail(_ failure: PublicationFailure, _ sequence: SnapshotSequence) async {
        if failed?.sequence != sequence { causes = [] }
        failed = (sequence, .now + backoff.fail())
        if case .ahead = failure { isOvertaken = true }
        standing = nil
        round = nil
        parts.state.show(app, .failing(failure))
        Counter(label: "plimsoll.snapshots.failed").increment()
        Self.show(isFailing: true, app)
        guard causes.insert(failure.cause).inserted else { return }
        logger.error(
            "a publication failed; what was published before stays served",
            metadata: ["snapshot.sequence": "\(sequence)", "error": "\(failure)"]
        )
        do {
            let fence = try parts.publisher.lead.confirm()
            try await parts.publisher.ledger.failed(failure, sequence, of: app, as: fence)
        } catch {
            causes.remove(failure.cause)
            logger.debug("the failure could not be recorded", metadata: ["error": "\(error)"])
        }
    }

    /// The database or the lease went away: nothing is wrong with the app.
    private mutating func interrupted(_ error: any Error, _ sequence: SnapshotSequence) {
        failed = (sequence, .now + backoff.fail())
        round = nil
        guard !(error is CancellationError) else { return }
        if error is ExportSuperseded || error as? WriteError == .superseded {
            Counter(label: "plimsoll.exporter.fenced").increment()
        }
        logger.warning("a publication was interrupted", metadata: ["error": "\(error)"])
    }
}

/// What a publisher is to bring to phones, as of one page of the publication queue.
struct Offer: Sendable {
    let edition: Edition
    /// What the log says was published last.
    let published: PublicationRecord?
    /// Why the public keys are not published, if they are not; then nothing they sign may be.
    let keysFailure: FileError?
    /// Rises when what lies on the disk is to be looked at again: after the lease was taken, and
    /// at each scrub.
    let round: Int
    /// Rises with each time the lease was taken: whoever had it meanwhile told the sinks.
    let term: Int
}
