import NIOSSL

/// Those whose certificates are believed, instead of those that the machine believes or besides
/// them.
package struct CertificateAuthorities: Sendable {
    private let certificates: [NIOSSLCertificate]
    private let place: Place

    /// Where they stand.
    package enum Place: Sendable {
        /// Nobody else's word counts.
        case alone
        /// The word of those whom the machine believes counts as well.
        case besideOthers
    }

    /// All that a machine knows have a quarter of it.
    package static let sizeMaximum = 1 << 20

    package static let grammar = "a file with certificates of authorities, as PEM"

    /// `nil` for what holds no certificate.
    package init?(pem bytes: [UInt8], _ place: Place = .alone) {
        guard let certificates = try? NIOSSLCertificate.fromPEMBytes(bytes) else { return nil }
        self.certificates = certificates
        self.place = place
    }

    var configuration: TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        switch place {
        case .alone: configuration.trustRoots = .certificates(certificates)
        case .besideOthers: configuration.additionalTrustRoots = [.certificates(certificates)]
        }
        return configuration
    }
}
