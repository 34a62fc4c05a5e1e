package import Logging
package import PlimsollDocuments
package import PlimsollDomain
package import PlimsollSystem
import ServiceLifecycle
import UnixSignals

/// Keeps an edge at what the export folder has, whoever publishes there.
///
/// It polls: a link that is switched costs two `readlink` a second and app to see, on every kind
/// of file system, over a network too.
package struct ExportWatcher: Service {
    private let loader: SnapshotLoader
    private let interval: Duration
    private let logger: Logger
    private let prepare: @Sendable () async -> Void

    /// A key that is compromised is to be gone within a second, the time that signing and loading
    /// take included.
    package static let defaultInterval: Duration = .milliseconds(500)

    /// Takes what else has to be seen to before each look.
    package init(
        _ loader: SnapshotLoader,
        interval: Duration = defaultInterval,
        logger: Logger,
        prepare: @escaping @Sendable () async -> Void = {}
    ) {
        self.loader = loader
        self.interval = interval
        self.logger = logger
        self.prepare = prepare
    }

    /// Looks again and again until graceful shutdown.
    package func run() async throws {
        try await watchUntilShutdown { try await watch() }
    }

    private func watch() async throws {
        var complaint = Complaint()
        var missing = MissingApps(of: loader)
        while !Task.isCancelled {
            await prepare()
            do {
                let found = try await loader.loadAll()
                missing.note(await loader.unservedApps.subtracting(found.keys), to: logger)
                complaint.clear()
            } catch {
                complaint.make("export folder not readable", error, to: logger)
            }
            try await Task.sleep(for: interval)
        }
    }
}

/// Keeps `SIGHUP` from ending the process: what a hangup asks for, files read again, happens by
/// itself.
package struct HangupWatcher: Service {
    private let logger: Logger

    package init(logger: Logger) {
        self.logger = logger
    }

    /// Takes hangups until graceful shutdown.
    package func run() async throws {
        try await watchUntilShutdown { [logger] in
            for await _ in await UnixSignalsSequence(trapping: .sighup) {
                logger.notice("hangup: keys and certificates are read again whenever they change")
            }
        }
    }
}

/// What an edge remembers across restarts: the highest sequence it has served of each app.
///
/// Without it, whoever can write to the export folder could bring back an old snapshot, signed
/// and all, by waiting for a restart. It belongs where only the edge can write.
struct SequenceMemory {
    private let folder: Path
    private var unwritten: [AppSlug: SnapshotSequence] = [:]

    init(_ folder: Path) {
        self.folder = folder
    }

    /// Nil where nothing is remembered.
    ///
    /// A file that was damaged remembers nothing either: phones get a document rather than none,
    /// and refuse it themselves if it is older than theirs.
    func sequence(of app: AppSlug) -> SnapshotSequence? {
        guard
            let bytes = try? (folder / app.text).read(sizeMaximum: 32),
            let text = String(validating: bytes, as: UTF8.self),
            let number = Int64(text.filter { $0 != "\n" })
        else { return nil }
        return SnapshotSequence(rawValue: number)
    }

    mutating func remember(_ sequence: SnapshotSequence, of app: AppSlug) {
        unwritten[app] = sequence
    }

    /// What cannot be written is left for the next time.
    mutating func write() throws(FileError) {
        for (app, sequence) in unwritten {
            try folder.createFolder()
            try (folder / app.text).writeDurably(Array("\(sequence)\n".utf8))
            unwritten[app] = nil
        }
    }
}

/// Looks again and again until graceful shutdown, which is no error, whatever it broke off.
package func watchUntilShutdown(_ watch: @escaping @Sendable () async throws -> Void) async throws {
    do {
        try await cancelWhenGracefulShutdown(watch)
    } catch {
        // What is broken off says so in words of its own: a statement, or the wait for a writer.
        guard Task.isShuttingDownGracefully || Task.isCancelled || error is CancellationError
        else { throw error }
    }
}

/// What a look found wrong; the log is told of it once, however often it is found again.
package struct Complaint {
    private var last: String?

    package init() {}

    package mutating func clear() { last = nil }

    package mutating func make(
        _ message: Logger.Message,
        _ error: any Error,
        _ metadata: Logger.Metadata = [:],
        to logger: Logger
    ) {
        let reason = "\(error)"
        guard reason != last else { return }
        last = reason
        logger.error(message, metadata: metadata.merging(["error.reason": "\(reason)"]) { $1 })
    }
}

/// Somewhere afar that snapshots come from: a store, or another edge.
package protocol SnapshotOrigin: Sendable {
    /// What is current of the app, unless it is what has the mark.
    ///
    /// It MUST come to an end by itself, in a time that an edge can wait.
    func current(of app: AppSlug, unless mark: OriginMark?) async throws -> OriginReading
}

/// An origin answers, and what it has of one app is of no use yet: of others it may have more.
package protocol FaultOfOneApp: Error {}

/// Which version of something an origin has, in the origin's own words.
package struct OriginMark: Hashable, Sendable {
    package let text: String
    /// The same of its proof, which comes later.
    package let proof: String?

    package init(_ text: String, proof: String? = nil) {
        self.text = text
        self.proof = proof
    }
}

/// What came of asking an origin.
package enum OriginReading: Sendable {
    case found(FetchedSnapshot, OriginMark)
    /// It is what has the mark, and its proof is another one.
    case proven([UInt8], OriginMark)
    /// It is what has the mark.
    case unchanged
    /// Nothing has been published of this app.
    case absent
}

/// Keeps an edge at what an origin has, of the apps whose keys are trusted.
///
/// An origin that is away, or has something that may not be served, changes nothing: phones are
/// served what was good last.
package struct OriginWatcher: Service {
    private let rounds: OriginRounds
    private let interval: Duration

    /// An answer that nothing is new costs little, and nobody has to wait long.
    package static let defaultInterval: Duration = .seconds(5)

    package init(
        _ origin: any SnapshotOrigin,
        _ loader: SnapshotLoader,
        interval: Duration = defaultInterval,
        logger: Logger
    ) {
        rounds = OriginRounds(origin, loader, logger: logger)
        self.interval = interval
    }

    /// Looks again and again until graceful shutdown.
    package func run() async throws {
        try await watchUntilShutdown { try await watch() }
    }

    private func watch() async throws {
        var rounds = rounds
        while true {
            let hasApps = await rounds.look()
            try await Task.sleep(for: OriginRounds.pause(interval, hasApps: hasApps))
        }
    }
}

/// Looks at an origin, app by app, and knows what it saw there last.
package struct OriginRounds {
    private let origin: any SnapshotOrigin
    private let loader: SnapshotLoader
    private let logger: Logger
    private var views: [AppSlug: View] = [:]
    private var missing: MissingApps

    package init(_ origin: any SnapshotOrigin, _ loader: SnapshotLoader, logger: Logger) {
        self.origin = origin
        self.loader = loader
        self.logger = logger
        missing = MissingApps(of: loader)
    }

    /// What is known of an app at the origin.
    private struct View {
        /// Of what is served; what was refused is fetched again.
        var mark: OriginMark?
        var complaint = Complaint()
    }

    /// What is not known to be at the origin.
    private struct Gaps {
        var absent: Set<AppSlug> = []
        var unseen: Set<AppSlug>
    }

    /// The keys come from elsewhere, and nobody should wait for a whole round without them.
    package static func pause(_ interval: Duration, hasApps: Bool) -> Duration {
        hasApps ? interval : min(interval, .milliseconds(100))
    }

    /// Looks at all apps; whether there are any.
    ///
    /// An origin that is away keeps each app waiting, so a round may end with the first that could
    /// not be looked at.
    @discardableResult
    package mutating func look(untilFailure: Bool = false) async -> Bool {
        await loader.tidyUp()
        let apps = await loader.trustedApps
        var gaps = Gaps(unseen: Set(apps))
        for app in apps {
            let isSeen = await look(at: app, &views[app, default: View()], &gaps)
            if untilFailure && !isSeen { return true }
        }
        let absent = gaps.absent.intersection(await loader.unservedApps)
        missing.note(absent, unseen: gaps.unseen, to: logger)
        return !apps.isEmpty
    }

    private func look(at app: AppSlug, _ view: inout View, _ gaps: inout Gaps) async -> Bool {
        do {
            switch try await origin.current(of: app, unless: view.mark) {
            case .found(let fetched, let mark):
                let outcome = await loader.load(fetched)
                view.mark = outcome.isServed ? mark : nil
            case .proven(let proof, let mark):
                await loader.load(proof: proof, of: app)
                view.mark = mark
            case .unchanged: break
            case .absent: gaps.absent.insert(app)
            }
            gaps.unseen.remove(app)
            view.complaint.clear()
            return true
        } catch {
            guard !Task.isCancelled else { return false }
            view.complaint.make("origin not readable", error, ["app.slug": "\(app)"], to: logger)
            return error is any FaultOfOneApp
        }
    }
}

/// A snapshot as it came from afar: bytes that nobody has checked.
package struct FetchedSnapshot: Sendable {
    package let app: AppSlug
    package let manifest: [UInt8]
    package let signatures: [UInt8]
    package let bodies: [FileName: [UInt8]]
    /// `nil` where it is not there yet.
    package let proof: [UInt8]?

    package init(
        of app: AppSlug,
        manifest: [UInt8],
        signatures: [UInt8],
        bodies: [FileName: [UInt8]],
        proof: [UInt8]? = nil
    ) {
        self.proof = proof
        self.app = app
        self.manifest = manifest
        self.signatures = signatures
        self.bodies = bodies
    }

    func verified(by keys: TrustedKeys) throws(LoadRefusal) -> VerifiedSnapshot {
        do throws(VerificationRefusal) {
            return try Manifest.verify(
                manifest,
                signatures: signatures,
                keys: keys,
                expectedApp: app
            ).verify(bodies)
        } catch {
            throw .untrusted(error)
        }
    }
}

/// What came of looking at an app's current snapshot.
package enum LoadOutcome: Equatable, Sendable {
    /// It is served from now on.
    case loaded(SnapshotSequence)
    /// It is the one that is served already.
    case unchanged(SnapshotSequence)
    /// The same, and another proof of it is served from now on.
    case proven(SnapshotSequence)
    /// Nothing has been published of this app.
    case absent
    /// What was served before is served on.
    case refused(LoadRefusal)

    /// Whether the edge is to go over to something.
    var isNew: Bool {
        switch self {
        case .loaded, .proven: true
        case .unchanged, .absent, .refused: false
        }
    }

    /// Whether it is what phones get now.
    package var isServed: Bool {
        switch self {
        case .loaded, .unchanged, .proven: true
        case .absent, .refused: false
        }
    }
}

/// Why a snapshot on the disk is not served.
package enum LoadRefusal: Error, Equatable, Sendable {
    /// The link of the app leads to no snapshot of it.
    case linkMalformed(String)
    case unreadable(FileError)
    case untrusted(VerificationRefusal)
    /// The manifest is another one than its folder says.
    case anotherSequence(found: SnapshotSequence, expected: SnapshotSequence)
    /// Somebody wants to bring back what was replaced.
    case older(found: SnapshotSequence, known: SnapshotSequence)
    /// Other documents were served under the number: it comes from another history.
    case otherDocuments(SnapshotSequence)
    /// Too few witnesses have seen yet what proves it.
    case unwitnessed(SnapshotSequence, seen: Int, needed: Int)
    /// A file could not stand in an answer.
    case unservable(FileName)
}

extension LoadRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .linkMalformed(let destination):
            "The link leads to \(destination), which is no snapshot of the app."
        case .unreadable(let error): "The snapshot cannot be read: \(error)."
        case .untrusted(let refusal): "The snapshot is not trusted. \(refusal)"
        case .anotherSequence(let found, let expected):
            "The manifest has the sequence \(found); its folder says \(expected)."
        case .older(let found, let known):
            "The snapshot has the sequence \(found), and \(known) was served already; "
                + "to go back on purpose, remove what the edge remembers and start it anew."
        case .otherDocuments(let sequence):
            "The snapshot \(sequence) has other documents than were served under the number; no"
                + " number stands for two."
        case .unwitnessed(let sequence, let seen, let needed):
            "Of the snapshot \(sequence) the log is cosigned by \(seen) of the \(needed) witnesses that"
                + " are needed."
        case .unservable(let name): "The file \(name) has a media type that no header can carry."
        }
    }
}
