import Logging
import Metrics
import PlimsollDomain
import PlimsollLog
import PlimsollSystem

/// Publishes a checkpoint whenever the log has grown or a witness has cosigned the last one, though
/// not too often, and tries again after a failure.
///
/// It has a task of its own, so that no app waits for it and it waits for none.
struct LogQueue {
    /// That the log reaches to a position, how often this exporter has taken the lease, and when
    /// what lies on the disk is to be looked at again.
    struct Offer: Sendable {
        let position: Position
        let term: Int
        let round: Int
    }

    private let publisher: LogPublisher
    private let interval: Duration
    private let parts: ExporterParts
    private var edge: LogPublisher.Edge?
    private var term: Int?
    private var published: MerkleRoot?
    private var next = ContinuousClock.now
    private var backoff = Backoff()
    /// The room that the last try had, where it was too little.
    private var fullDisk: DiskRoom?
    /// What is wrong, as it was last reported.
    private var trouble: String?
    private var prover: SnapshotProver
    private var nextProof = ContinuousClock.now
    private var proofBackoff = Backoff()
    private var proofTrouble: String?
    /// In which round what lies on the disk was looked at, and the tile to go on with.
    private var scrubbed: Int?
    private var nextTile = 0
    /// Whether the last look found what it could not mend.
    private var isDamaged = false

    init(_ publisher: LogPublisher, every interval: Duration, _ parts: ExporterParts) {
        self.publisher = publisher
        self.interval = interval
        self.parts = parts
        prover = publisher.prover(parts.proofs)
    }

    mutating func run(_ offers: AsyncStream<Offer>) async {
        for await offer in offers { await consider(offer) }
    }

    private mutating func consider(_ offer: Offer) async {
        if term != offer.term {
            // Another one may have published meanwhile.
            (term, edge, published, isDamaged) = (offer.term, nil, nil, false)
            prover = publisher.prover(parts.proofs)
        }
        guard ContinuousClock.now >= next || fullDisk?.hasGrown ?? false else { return }
        fullDisk = nil
        let room = publisher.room
        let isCovered = published.map { $0.size >= offer.position.rawValue } ?? false
        if isCovered, !publisher.isWitnessed {
            await scrub(offer)
            return await prove(offer)
        }
        do {
            var edge = try await begun()
            // What was taken in and not published has to be taken in again.
            self.edge = nil
            let root = try await publisher.publish(&edge)
            self.edge = edge
            succeeded(root)
        } catch {
            edge = nil
            fail(error)
            if error.isFullDisk { fullDisk = room }
        }
        await scrub(offer)
        await prove(offer)
    }

    /// Looks at a part of what lies on the disk, once a round.
    private mutating func scrub(_ offer: Offer) async {
        guard let edge, scrubbed != offer.round else { return }
        scrubbed = offer.round
        do {
            let (mended, next) = try await publisher.scrub(edge, from: nextTile)
            nextTile = next
            isDamaged = false
            if let published { recovered(published) }
            guard !mended.isEmpty else { return }
            Counter(label: "plimsoll.log.files.mended").increment(by: mended.count)
            parts.logger.error(
                "the published log was damaged and is mended",
                metadata: ["files": "\(mended.map(\.description).joined(separator: ", "))"]
            )
        } catch {
            // What was signed may be another log than the database has: publishing complains of it.
            (self.edge, published, isDamaged) = (nil, nil, true)
            fail(error)
        }
    }

    /// Proves the snapshots that the checkpoint covers; their documents are published already.
    private mutating func prove(_ offer: Offer) async {
        guard let edge, let note = edge.note, ContinuousClock.now >= nextProof,
            publisher.isWitnessed || prover.isDue(in: offer.round, upTo: edge.builder.size)
        else { return }
        do {
            let key = edge.signer.verifierKey
            try await prover.prove(under: note, by: key, in: offer.round)
            if proofTrouble != nil { parts.logger.info("snapshots are proven again") }
            proofTrouble = nil
            proofBackoff.succeed()
            Gauge(label: "plimsoll.snapshot.proof.failing").record(0)
        } catch {
            nextProof = .now + proofBackoff.fail()
            guard !(error is CancellationError), !Task.isCancelled else { return }
            Gauge(label: "plimsoll.snapshot.proof.failing").record(1)
            let sentence = "\(error)"
            guard sentence != proofTrouble else { return }
            proofTrouble = sentence
            parts.logger.error("snapshots are not proven", metadata: ["error": "\(sentence)"])
        }
    }

    private func begun() async throws -> LogPublisher.Edge {
        if let edge { return edge }
        return try await publisher.begin()
    }

    private mutating func succeeded(_ root: MerkleRoot) {
        let isNew = root != published
        published = root
        next = .now + interval
        backoff.succeed()
        Gauge(label: "plimsoll.log.checkpoint.size").record(root.size)
        if !isDamaged { recovered(root) }
        guard isNew else { return }
        parts.logger.debug("published a checkpoint", metadata: ["log.size": "\(root.size)"])
    }

    /// What is published is good, and so is what lies on the disk.
    private mutating func recovered(_ root: MerkleRoot) {
        parts.state.show(.published(root))
        if trouble != nil { parts.logger.info("checkpoints are published again") }
        trouble = nil
        Gauge(label: "plimsoll.log.checkpoint.failing").record(0)
    }

    private mutating func fail(_ error: any Error) {
        next = .now + backoff.fail()
        guard !(error is CancellationError), !Task.isCancelled else { return }
        if let failure = error as? PublicLogFailure { parts.state.show(.failing(failure)) }
        Gauge(label: "plimsoll.log.checkpoint.failing").record(1)
        let sentence = "\(error)"
        guard sentence != trouble else { return }
        trouble = sentence
        parts.logger.error("no checkpoint is published", metadata: ["error": "\(sentence)"])
    }
}

extension Error {
    fileprivate var isFullDisk: Bool {
        if case .disk(let error) = self as? PublicLogFailure { return error.isOutOfSpace }
        return (self as? FileError)?.isOutOfSpace ?? false
    }
}
