import PlimsollAPI
import PlimsollSystem

/// The authorities that an operator named, as their file has them now.
struct AuthoritiesFile: Sendable {
    private let path: Path

    /// Takes an absolute path.
    init(_ path: String) {
        self.path = Path(path)
    }

    /// Throws a sentence for the operator where there are none.
    func read() throws -> CertificateAuthorities {
        let bytes = try path.read(sizeMaximum: CertificateAuthorities.sizeMaximum)
        guard let authorities = CertificateAuthorities(pem: bytes) else {
            throw ConfigurationError(key: "--from-ca", needed: CertificateAuthorities.grammar)
        }
        return authorities
    }
}
