import ArgumentParser
import PlimsollEdge

/// With which certificate a listener is to speak TLS.
struct TLSOptions: ParsableArguments {
    @Option(help: "A certificate and those that lead to its root, as PEM; speaks TLS.")
    var tlsCertificate: String?

    @Option(help: "The certificate's private key, as PEM, that nobody else can read.")
    var tlsKey: String?

    /// `nil` for plain HTTP.
    func files() throws -> TLSFiles? {
        switch (tlsCertificate, tlsKey) {
        case (nil, nil): return nil
        case (let certificate?, let key?):
            return TLSFiles(certificate: absolutePath(certificate), key: absolutePath(key))
        default: throw ValidationError("--tls-certificate and --tls-key belong together.")
        }
    }
}
