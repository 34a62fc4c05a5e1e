package import Logging
import PlimsollDomain
import PlimsollSystem
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
        while !Task.isCancelled {
            await prepare()
            do {
                try await loader.loadAll()
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

    func remember(_ sequence: SnapshotSequence, of app: AppSlug) throws(FileError) {
        try folder.createFolder()
        try (folder / app.text).writeDurably(Array("\(sequence)\n".utf8))
    }
}

/// Looks again and again until graceful shutdown, which is no error.
package func watchUntilShutdown(_ watch: @escaping @Sendable () async throws -> Void) async throws {
    do {
        try await cancelWhenGracefulShutdown(watch)
    } catch is CancellationError {
        return
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
