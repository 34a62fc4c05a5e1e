import Logging
import PlimsollDocuments
import PlimsollEdge
import PlimsollSystem
import ServiceLifecycle

/// Keeps an edge at the keys that its operator gave it in a file.
///
/// A file that is missing, or cannot be read, changes nothing: what was trusted stays trusted.
struct TrustWatcher: Service {
    private let file: Path
    private let loader: SnapshotLoader
    private let logger: Logger

    private static let interval = Duration.seconds(1)

    init(_ file: Path, _ loader: SnapshotLoader, logger: Logger) {
        self.file = file
        self.loader = loader
        self.logger = logger
    }

    func run() async throws {
        try await watchUntilShutdown { try await watch() }
    }

    private func watch() async throws {
        var last: [UInt8]?
        var complaint = Complaint()
        while true {
            do {
                let bytes = try file.read(sizeMaximum: PublishedKeys.sizeMaximum)
                if bytes != last {
                    await loader.trust(try trustedKeys(bytes))
                    last = bytes
                }
                complaint.clear()
            } catch {
                complaint.make("the trusted keys cannot be read", error, to: logger)
            }
            try await Task.sleep(for: Self.interval)
        }
    }

    private func trustedKeys(_ bytes: [UInt8]) throws -> TrustedKeys {
        TrustedKeys(try PublishedKeys(parsing: bytes))
    }
}
