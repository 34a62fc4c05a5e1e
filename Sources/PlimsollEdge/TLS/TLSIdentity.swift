import NIOCore
import NIOSSL
import PlimsollDomain
import PlimsollSystem

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
