import Logging
import Metrics
import PlimsollDomain
import PlimsollLog

/// Publishes a checkpoint whenever the log has grown or a witness has cosigned the last one, though
/// not too often, and tries again after a failure.
///
/// It has a task of its own, so that no app waits for it and it waits for none.
struct LogLane {
    /// That the log reaches to a position, and how often this exporter has taken the lock.
    struct Offer: Sendable {
        let position: Position
        let term: Int
    }

    private let press: LogPress
    private let interval: Duration
    private let parts: ExporterParts
    private var edge: LogPress.Edge?
    private var term: Int?
    private var published: MerkleRoot?
    private var next = ContinuousClock.now
    private var backoff = Backoff()
    /// What is wrong, as it was last reported.
    private var trouble: String?

    init(_ press: LogPress, every interval: Duration, _ parts: ExporterParts) {
        self.press = press
        self.interval = interval
        self.parts = parts
    }

    mutating func run(_ offers: AsyncStream<Offer>) async {
        for await offer in offers { await consider(offer) }
    }

    private mutating func consider(_ offer: Offer) async {
        if term != offer.term {
            // Another one may have published meanwhile.
            (term, edge, published) = (offer.term, nil, nil)
        }
        guard ContinuousClock.now >= next else { return }
        let isCovered = published.map { $0.size >= offer.position.rawValue } ?? false
        if isCovered, !press.isWitnessed { return }
        do {
            var edge = try await begun()
            // What was taken in and not published has to be taken in again.
            self.edge = nil
            let root = try await press.print(&edge)
            self.edge = edge
            succeeded(root)
        } catch {
            edge = nil
            fail(error)
        }
    }

    private func begun() async throws -> LogPress.Edge {
        if let edge { return edge }
        return try await press.begin()
    }

    private mutating func succeeded(_ root: MerkleRoot) {
        let isNew = root != published
        published = root
        next = .now + interval
        backoff.succeed()
        parts.board.show(.published(root))
        if trouble != nil { parts.logger.info("checkpoints are published again") }
        trouble = nil
        Gauge(label: "plimsoll.log.checkpoint.size").record(root.size)
        Gauge(label: "plimsoll.log.checkpoint.failing").record(0)
        guard isNew else { return }
        parts.logger.debug("published a checkpoint", metadata: ["log.size": "\(root.size)"])
    }

    private mutating func fail(_ error: any Error) {
        next = .now + backoff.fail()
        guard !(error is CancellationError), !Task.isCancelled else { return }
        if let failure = error as? PublicLogFailure { parts.board.show(.failing(failure)) }
        Gauge(label: "plimsoll.log.checkpoint.failing").record(1)
        let sentence = "\(error)"
        guard sentence != trouble else { return }
        trouble = sentence
        parts.logger.error("no checkpoint is published", metadata: ["error": "\(sentence)"])
    }
}
