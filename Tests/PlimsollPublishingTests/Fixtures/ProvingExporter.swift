import PlimsollLog
import Testing

@testable import PlimsollPublishing

/// One exporter at work: a checkpoint over all there is, then the proofs under it.
final class ProvingExporter {
    let latest = LatestProofs()
    private let publisher: LogPublisher
    private var edge: LogPublisher.Edge
    private var prover: SnapshotProver
    private var round = 1

    init(_ publisher: LogPublisher, _ edge: LogPublisher.Edge) {
        self.publisher = publisher
        self.edge = edge
        prover = publisher.prover(latest)
    }

    func publish() async throws { _ = try await publisher.publish(&edge) }

    func proveOnly() async throws {
        let note = try #require(edge.note)
        try await prover.prove(under: note, by: edge.signer.verifierKey, in: round)
    }

    func prove() async throws {
        try await publish()
        try await proveOnly()
    }

    /// As a minute later.
    func scrub() async throws {
        round += 1
        try await prove()
    }
}
