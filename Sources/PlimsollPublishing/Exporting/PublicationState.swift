package import PlimsollDomain
package import PlimsollLog
import Synchronization

/// Where an app's publication stands, for whoever asks how the service is.
package enum PublicationState: Equatable, Sendable {
    case published(SnapshotSequence)
    /// What was published before stays served.
    case failing(PublicationFailure)
}

/// Where the transparency log stands.
package enum PublicLogState: Equatable, Sendable {
    case published(MerkleRoot)
    /// What was published before stays.
    case failing(PublicLogFailure)
}

/// What the exporter is doing.
package struct ExporterState: Equatable, Sendable {
    /// Whether this instance is the one that exports; another one may be.
    package var isExporting = false
    /// What keeps it from working at all.
    package var trouble: String?
    package var apps: [AppSlug: PublicationState] = [:]
    /// By the names of the sinks, the apps whose newest documents they do not have, and why.
    package var sinks: [String: [AppSlug: SinkRefusal]] = [:]
    /// `nil` before the first checkpoint, and where none are published.
    package var log: PublicLogState?

    package init() {}

    /// The apps whose newest documents cannot be published, and why.
    package var failures: [AppSlug: PublicationFailure] {
        apps.compactMapValues { state in
            if case .failing(let failure) = state { failure } else { nil }
        }
    }
}

/// The state, shared by the exporter's parts and those who ask.
final class StateBoard: Sendable {
    private let state = Mutex(ExporterState())

    var latest: ExporterState { state.withLock { $0 } }

    func show(isExporting: Bool) {
        state.withLock { $0.isExporting = isExporting }
    }

    func show(_ log: PublicLogState) {
        state.withLock { $0.log = log }
    }

    func show(trouble: String?) {
        state.withLock { $0.trouble = trouble }
    }

    func show(_ app: AppSlug, _ appState: PublicationState) {
        state.withLock { $0.apps[app] = appState }
    }

    /// `nil` where the sink has what it is to have.
    func show(_ app: AppSlug, _ sink: String, _ refusal: SinkRefusal?) {
        state.withLock { state in
            state.sinks[sink, default: [:]][app] = refusal
            if state.sinks[sink]?.isEmpty == true { state.sinks[sink] = nil }
        }
    }
}
