import NIOCore
import NIOSSL
package import PlimsollDomain
import PlimsollSystem
import Synchronization

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
