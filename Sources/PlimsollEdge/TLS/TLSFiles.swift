import PlimsollSystem

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
