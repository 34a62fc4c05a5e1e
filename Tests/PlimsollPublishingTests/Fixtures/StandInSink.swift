import PlimsollDocuments
import PlimsollDomain
import PlimsollPublishing
import Synchronization

/// Remembers what it was given; may refuse, or hold whoever gives it something.
final class StandInSink: Sink {
    private struct State {
        var taken: [SnapshotSequence] = []
        var newest: Publication?
        var proofs: [SnapshotProof] = []
        var attempts = 0
        var refusal: SinkRefusal?
        var refusedApp: AppSlug?
    }

    let name: String
    let followsOthers: Bool
    let repeatInterval: Duration?
    private let state = Mutex(State())
    private let turnstile = Turnstile()

    init(_ name: String, followsOthers: Bool = false, repeatInterval: Duration? = nil) {
        self.name = name
        self.followsOthers = followsOthers
        self.repeatInterval = repeatInterval
    }

    /// The sequences that it took over, in order.
    var taken: [SnapshotSequence] { state.withLock { $0.taken } }
    /// What it took over last.
    var newest: Publication? { state.withLock { $0.newest } }
    /// The proofs that it took over, in order.
    var proofs: [SnapshotProof] { state.withLock { $0.proofs } }
    var attempts: Int { state.withLock { $0.attempts } }

    /// Refuses all apps, or only one; `nil` takes them again.
    func refuse(with refusal: SinkRefusal?, _ app: AppSlug? = nil) {
        state.withLock { ($0.refusal, $0.refusedApp) = (refusal, app) }
    }

    /// Whoever gives it something from now on waits.
    func hold() { turnstile.hold() }

    func release() { turnstile.release() }

    func take(
        _ proof: SnapshotProof,
        of publication: Publication
    ) async throws(SinkRefusal) {
        state.withLock { $0.proofs.append(proof) }
    }

    func take(_ publication: Publication) async throws(SinkRefusal) {
        state.withLock { $0.attempts += 1 }
        await turnstile.pass()
        let manifest = publication.snapshot.manifest.manifest
        let refusal = state.withLock { state in
            let refusal =
                state.refusedApp == nil || state.refusedApp == manifest.app ? state.refusal : nil
            if refusal == nil {
                state.taken.append(manifest.sequence)
                state.newest = publication
            }
            return refusal
        }
        if let refusal { throw refusal }
    }
}
