import PlimsollDocuments
import PlimsollDomain
import PlimsollExport
import Synchronization

/// Remembers what it was given; may refuse, or hold whoever gives it something.
final class StandInSink: Sink {
    private struct State {
        var taken: [SnapshotSequence] = []
        var newest: Publication?
        var attempts = 0
        var refusal: SinkRefusal?
        var refusedApp: AppSlug?
        var isHolding = false
        var held: [CheckedContinuation<Void, Never>] = []
    }

    let name: String
    let followsOthers: Bool
    private let state = Mutex(State())

    init(_ name: String, followsOthers: Bool = false) {
        self.name = name
        self.followsOthers = followsOthers
    }

    /// The sequences that it took over, in order.
    var taken: [SnapshotSequence] { state.withLock { $0.taken } }
    /// What it took over last.
    var newest: Publication? { state.withLock { $0.newest } }
    var attempts: Int { state.withLock { $0.attempts } }

    /// Refuses all apps, or only one; `nil` takes them again.
    func refuse(with refusal: SinkRefusal?, _ app: AppSlug? = nil) {
        state.withLock { ($0.refusal, $0.refusedApp) = (refusal, app) }
    }

    /// Whoever gives it something from now on waits.
    func hold() {
        state.withLock { $0.isHolding = true }
    }

    func release() {
        let held = state.withLock { state in
            state.isHolding = false
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    func take(_ publication: Publication) async throws(SinkRefusal) {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                state.attempts += 1
                if state.isHolding { state.held.append(continuation) }
                return !state.isHolding
            }
            if isFree { continuation.resume() }
        }
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
