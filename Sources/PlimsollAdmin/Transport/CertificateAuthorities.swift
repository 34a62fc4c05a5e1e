import NIOSSL

/// Those whose certificates are believed, instead of those that the machine believes.
package struct CertificateAuthorities: Sendable {
    private let certificates: [NIOSSLCertificate]

    package static let grammar = "a file with certificates of authorities, as PEM"

    /// `nil` for what holds no certificate.
    package init?(pem bytes: [UInt8]) {
        guard let certificates = try? NIOSSLCertificate.fromPEMBytes(bytes) else { return nil }
        self.certificates = certificates
    }

    var configuration: TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates(certificates)
        return configuration
    }
}
