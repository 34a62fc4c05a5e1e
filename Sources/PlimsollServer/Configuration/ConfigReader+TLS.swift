import Configuration
import PlimsollEdge

extension ConfigReader {
    /// Where a certificate and its key lie; either both are given or none.
    func tlsFiles(
        _ certificate: ConfigKey,
        _ key: ConfigKey
    ) throws(ConfigurationError) -> TLSFiles? {
        switch (try path(certificate), try path(key)) {
        case (nil, nil): return nil
        case (let certificate?, let key?): return TLSFiles(certificate: certificate, key: key)
        case (_, nil):
            throw ConfigurationError(
                key: key.description,
                needed: "the absolute path of the certificate's private key"
            )
        case (nil, _):
            throw ConfigurationError(
                key: certificate.description,
                needed: "the absolute path of the certificate that the key belongs to"
            )
        }
    }

    private func path(_ key: ConfigKey) throws(ConfigurationError) -> String? {
        guard let text = string(forKey: key), !text.isEmpty else { return nil }
        guard text.hasPrefix("/") else {
            throw ConfigurationError(
                key: key.description,
                needed: "the absolute path of a PEM file"
            )
        }
        return text
    }
}
