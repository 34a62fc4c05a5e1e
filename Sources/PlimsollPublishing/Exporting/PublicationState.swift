package import PlimsollDomain
package import PlimsollLog
package import PlimsollStore
package import PlimsollSystem
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
final class SharedExporterState: Sendable {
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

/// Why an app's newest documents are not published; what was published before stays served.
package enum PublicationFailure: Error, Equatable, Sendable {
    /// The log knows no active key of the app.
    case noActiveKey(AppSlug)
    case signingKey(SigningKeyError)
    /// The public keys could not be published first.
    case keysNotPublished(FileError)
    /// A key did not sign.
    case signer(KeyID, SignerFailure)
    case disk(FileError)
    /// What lies on the disk under the number is not whole, or not signed by the app's keys.
    case damaged(SnapshotSequence, Path, reason: String)
    /// What lies there is whole, but says something else than the log.
    case foreign(SnapshotSequence, Path)
    /// Something newer was published than the log knows of: the log is older than the export.
    case ahead(published: SnapshotSequence, ordered: SnapshotSequence)
    /// A sink did not take it; the reason is a stable phrase.
    case sink(name: String, reason: String)

    /// A sentence that is the same each time this happens, for the record in the log.
    ///
    /// Names of temporary files and details of the moment stay out: one failure that goes on
    /// is one record, however often it is tried again.
    package var cause: String {
        switch self {
        case .noActiveKey: "the app has no active key"
        case .signingKey(let error): error.cause
        case .keysNotPublished(let error):
            "the public keys could not be published: \(error.cause)"
        case .signer(let id, let failure): "the key \(id) did not sign: \(failure)"
        case .disk(let error): "the export could not be written: \(error.cause)"
        case .damaged(let sequence, _, let reason):
            "snapshot \(sequence) on the disk is damaged: \(reason)"
        case .foreign(let sequence, _): "snapshot \(sequence) on the disk differs from the log"
        case .ahead(let published, _):
            "snapshot \(published) was published, which the log does not know"
        case .sink(let name, let reason): "the \(name) did not take it: \(reason)"
        }
    }
}

extension PublicationFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noActiveKey, .signer, .sink: cause
        case .keysNotPublished(let error):
            "the public keys could not be published: \(error)"
        case .signingKey(let error): error.description
        case .disk(let error): error.description
        case .damaged(_, let path, _):
            "\(cause); it is not served. Move \(path) away and it is written anew"
        case .foreign(_, let path):
            "\(cause); it is not served. Find out which of them is wrong before you move \(path) "
                + "away; where a log was given up, leave it: the next change is published"
        case .ahead(_, let ordered):
            "\(cause): its newest order is \(ordered). An older log was restored, or the export "
                + "belongs to another one; nothing is published until the log has passed it"
        }
    }
}

extension SigningKeyError {
    fileprivate var cause: String {
        switch self {
        case .missing(let id, _): "this instance does not have the private key \(id)"
        case .readableByOthers(let id, _): "the private key \(id) could be read by others"
        case .unreadable(let id, let error):
            "the private key \(id) cannot be read: \(error.cause)"
        case .malformed(let id, _): "the file of the private key \(id) holds no key"
        case .mismatch(let id, _): "the file of the private key \(id) holds another key"
        case .keptElsewhere(let id, let reason):
            "the private key \(id) cannot be used: \(reason)"
        case .notMade(let app, let error): "no key could be made for \(app): \(error.cause)"
        }
    }
}

extension FileError {
    /// What the system said, without the place, which may have a name made for the moment.
    var cause: String {
        isOutOfSpace ? "the disk is full" : "\(operation.rawValue) failed with error \(code)"
    }
}

/// How the exporter tells the log what it did, each thing once.
///
/// What it tells has a name made of what it is about, and commands of one name are one command:
/// told again after a crash, the log answers that it knows. It takes nothing from a leader that was
/// followed by another one.
package struct PublicationRecorder: Sendable {
    package typealias Perform = @Sendable (any Command, CommandIdentity, Fence) async throws -> Void

    private let perform: Perform
    private let newest: @Sendable () async throws -> Position

    package init(
        perform: @escaping Perform,
        head: @escaping @Sendable () async throws -> Position
    ) {
        self.perform = perform
        newest = head
    }

    /// Whether the log hears of a snapshot for the first time.
    enum Telling {
        case first
        /// The snapshot was lost and written again, so its signatures are others.
        case again
    }

    /// The position of the last event in the log.
    func head() async throws -> Position {
        try await newest()
    }

    func published(
        _ record: PublicationRecord,
        of app: AppSlug,
        _ telling: Telling,
        as fence: Fence
    ) async throws {
        let name = "snapshot/\(app)/\(record.sequence)"
        let identity =
            switch telling {
            case .first: CommandIdentity.named(name)
            case .again: CommandIdentity.named("\(name)/\(record.manifestDigest)")
            }
        try await perform(
            RecordPublication(app: app, event: .snapshotPublished(record)),
            identity,
            fence
        )
    }

    func failed(
        _ failure: PublicationFailure,
        _ sequence: SnapshotSequence,
        of app: AppSlug,
        as fence: Fence
    ) async throws {
        let event = ExportEvent.publicationFailed(sequence: sequence, cause: failure.cause)
        try await perform(
            RecordPublication(app: app, event: event),
            .named("publication-failed/\(app)/\(sequence)/\(failure.cause)"),
            fence
        )
    }

    /// Has the content of the order published anew, unless that was asked for already.
    func orderRenewal(
        of app: AppSlug,
        after sequence: SnapshotSequence,
        as fence: Fence
    ) async throws {
        try await perform(OrderRenewal(app: app), .named("renewal/\(app)/\(sequence)"), fence)
    }
}
