import NIOSSL
package import PlimsollDomain
import PlimsollFiles

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

    /// Until when clients take it; throws a sentence for the operator where there is none.
    package func end() throws -> Instant {
        let bytes = try path.read(sizeMaximum: Self.sizeMaximum)
        guard let certificate = try? NIOSSLCertificate.fromPEMBytes(bytes).first else {
            throw TLSRefusal.noCertificate(path)
        }
        return certificate.end
    }
}

extension NIOSSLCertificate {
    var end: Instant { Instant(millisecondsSince1970: Int64(notValidAfter) * 1000) }
}
