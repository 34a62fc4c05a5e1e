import NIOSSL
package import PlimsollDomain
import PlimsollSystem

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
