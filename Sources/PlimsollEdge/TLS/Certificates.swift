package import Logging
import NIOCore
import NIOSSL
package import PlimsollDomain
import PlimsollSystem
import ServiceLifecycle
import Synchronization
import UnixSignals

/// Why a certificate and a key cannot be used.
enum TLSRefusal: Error, Equatable, CustomStringConvertible {
    case noCertificate(Path)
    case noKey(Path)
    case foreignKey(certificate: Path, key: Path)
    case ended(Path, Instant)
    case notYet(Path, Instant)

    var description: String {
        switch self {
        case .noCertificate(let path):
            "\(path) holds no certificate; it needs to be PEM, the listener's own certificate first."
        case .noKey(let path):
            "\(path) holds no private key; it needs to be PEM, without a passphrase."
        case .foreignKey(let certificate, let key):
            "The key in \(key) is not that of the certificate in \(certificate)."
        case .ended(let path, let end):
            "The certificate in \(path) has ended, \(end)."
        case .notYet(let path, let begin):
            "The certificate in \(path) is not valid before \(begin); it is shown from then on."
        }
    }
}

/// A certificate with its key, ready for connections.
struct TLSIdentity: Sendable {
    let context: NIOSSLContext
    let validity: CertificateFile.Validity

    /// In the order in which they are preferred.
    private static let protocols = [httpTwo, "http/1.1"]
    static let httpTwo = "h2"
    /// For the goodbye of a client; then the connection is closed without it.
    private static let shutdownTimeout = TimeAmount.seconds(1)

    init(_ content: TLSFiles.Content, from files: TLSFiles) throws(TLSRefusal) {
        guard
            let chain = try? NIOSSLCertificate.fromPEMBytes(content.certificate),
            let certificate = chain.first
        else { throw .noCertificate(files.certificate) }
        guard let key = try? NIOSSLPrivateKey(bytes: content.key, format: .pem) else {
            throw .noKey(files.key)
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(key)
        )
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = Self.protocols
        configuration.shutdownTimeout = Self.shutdownTimeout
        guard let context = try? NIOSSLContext(configuration: configuration) else {
            throw .foreignKey(certificate: files.certificate, key: files.key)
        }
        self.context = context
        validity = certificate.validity
    }
}

/// Where the certificate of a listener lies, and the private key that belongs to it; both are PEM.
package struct TLSFiles: Sendable, Equatable {
    /// The certificate itself first, then those that lead to a root.
    let certificate: Path
    let key: Path

    /// Takes absolute paths.
    package init(certificate: String, key: String) {
        self.certificate = Path(certificate)
        self.key = Path(key)
    }

    /// What was found in the two files.
    struct Content: Equatable {
        let certificate: [UInt8]
        let key: [UInt8]
    }

    /// Throws where the key could be read by anybody but its owner.
    func read() throws(FileError) -> Content {
        Content(
            certificate: try certificate.read(sizeMaximum: CertificateFile.sizeMaximum),
            key: try key.readSecret(sizeMaximum: CertificateFile.sizeMaximum)
        )
    }
}

extension TLSFiles: CustomStringConvertible {
    package var description: String { certificate.string }
}

/// The certificate that new connections are shown.
///
/// Connections keep the one they began with, so that a new certificate cuts nobody off.
package final class TLSSource: Sendable {
    let files: TLSFiles
    private let state: Mutex<State>

    private struct State {
        var content: TLSFiles.Content
        var identity: TLSIdentity
    }

    /// Throws a sentence for the operator where there is nothing to begin with.
    package init(_ files: TLSFiles) throws {
        let content = try files.read()
        self.files = files
        state = Mutex(
            State(content: content, identity: try TLSIdentity(content, from: files))
        )
    }

    /// Until when clients take the certificate.
    package var end: Instant { state.withLock { $0.identity.validity.end } }

    var context: NIOSSLContext { state.withLock { $0.identity.context } }

    func isShowing(_ content: TLSFiles.Content) -> Bool {
        state.withLock { $0.content == content }
    }

    /// Shows another certificate from now on, unless it is worse than the present one.
    func replace(with content: TLSFiles.Content, at now: Instant) throws(TLSRefusal) {
        let identity = try TLSIdentity(content, from: files)
        let validity = identity.validity
        guard validity.end > min(now, end) else { throw .ended(files.certificate, validity.end) }
        guard validity.begin <= now else { throw .notYet(files.certificate, validity.begin) }
        state.withLock { $0 = State(content: content, identity: identity) }
    }
}

/// A listener's certificate in its file, as somebody looks at it who does not listen with it.
package struct CertificateFile: Sendable {
    private let path: Path

    /// How long before its end a certificate should have been replaced.
    package static let noticePeriod = Duration.seconds(14 * 86_400)
    static let sizeMaximum = 1 << 20

    /// Takes an absolute path.
    package init(_ path: String) {
        self.path = Path(path)
    }

    /// From when and until when clients take a certificate.
    package struct Validity: Equatable {
        package let begin: Instant
        package let end: Instant

        package init(begin: Instant, end: Instant) {
            self.begin = begin
            self.end = end
        }
    }

    /// Throws a sentence for the operator where there is no certificate.
    package func validity() throws -> Validity {
        let bytes = try path.read(sizeMaximum: Self.sizeMaximum)
        guard let certificate = try? NIOSSLCertificate.fromPEMBytes(bytes).first else {
            throw TLSRefusal.noCertificate(path)
        }
        return certificate.validity
    }
}

extension NIOSSLCertificate {
    var validity: CertificateFile.Validity {
        CertificateFile.Validity(
            begin: Instant(millisecondsSince1970: Int64(notValidBefore) * 1000),
            end: Instant(millisecondsSince1970: Int64(notValidAfter) * 1000)
        )
    }
}

/// Keeps a listener at the certificate that lies in its files.
///
/// It looks once a second, and at once when the process is sent `SIGHUP`. No connection is closed
/// for it, and whatever is wrong with the new files, the certificate in use stays in use.
package struct CertificateWatcher: Service {
    private let reloader: CertificateReloader
    private let interval: Duration

    package static let defaultInterval: Duration = .seconds(1)

    package init(
        _ source: TLSSource,
        interval: Duration = defaultInterval,
        logger: Logger
    ) {
        reloader = CertificateReloader(source, logger: logger)
        self.interval = interval
    }

    /// Looks again and again until graceful shutdown.
    package func run() async throws {
        try await watchUntilShutdown {
            try await withThrowingDiscardingTaskGroup { tasks in
                tasks.addTask(name: "certificate files") { try await look() }
                tasks.addTask(name: "certificate signal") { await listen() }
            }
        }
    }

    private func look() async throws {
        while true {
            reloader.look()
            try await Task.sleep(for: interval)
        }
    }

    private func listen() async {
        for await _ in await UnixSignalsSequence(trapping: .sighup) { reloader.answer() }
    }
}

/// Decides what a look at the files of a certificate leads to.
///
/// Two files cannot be replaced in one step, so what does not fit together is looked at a second
/// time before anybody is told; until it fits, the listener keeps what it has.
final class CertificateReloader: Sendable {
    private struct State {
        /// What was wrong at the last look.
        var fault: String?
        var complaint = Complaint()
        var warned: Instant?
    }

    private let source: TLSSource
    private let logger: Logger
    private let state = Mutex(State())

    /// How often it is said that a certificate should have been replaced.
    private static let noticeInterval = Duration.seconds(86_400)

    init(_ source: TLSSource, logger: Logger) {
        self.source = source
        self.logger = logger
    }

    /// Looks on its own account.
    func look(at now: Instant = .current) {
        state.withLock { look(&$0, isAsked: false, now) }
    }

    /// Looks because the operator says so, and tells what came of it.
    func answer(at now: Instant = .current) {
        state.withLock { state in
            state.complaint.clear()
            look(&state, isAsked: true, now)
        }
    }

    private func look(_ state: inout State, isAsked: Bool, _ now: Instant) {
        do {
            let content = try source.files.read()
            if !source.isShowing(content) {
                try source.replace(with: content, at: now)
                tell("certificate replaced")
            } else if isAsked {
                tell("certificate unchanged")
            }
            state.fault = nil
            state.complaint.clear()
        } catch {
            let fault = "\(error)"
            if isAsked || state.fault == fault {
                state.complaint.make("certificate not replaced", error, to: logger)
            }
            state.fault = fault
        }
        warn(&state, now)
    }

    private func tell(_ message: Logger.Message) {
        logger.info(message, metadata: ["certificate.end": "\(source.end)"])
    }

    private func warn(_ state: inout State, _ now: Instant) {
        guard source.end <= now.advanced(by: CertificateFile.noticePeriod) else {
            state.warned = nil
            return
        }
        if let warned = state.warned, now < warned.advanced(by: Self.noticeInterval) { return }
        state.warned = now
        logger.warning("certificate ends soon", metadata: ["certificate.end": "\(source.end)"])
    }
}
