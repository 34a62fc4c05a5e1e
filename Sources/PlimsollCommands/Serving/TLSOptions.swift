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
        try refuseEmpty(tlsCertificate, "--tls-certificate")
        try refuseEmpty(tlsKey, "--tls-key")
        switch (tlsCertificate, tlsKey) {
        case (nil, nil): return nil
        case (let certificate?, let key?):
            return TLSFiles(certificate: absolutePath(certificate), key: absolutePath(key))
        default: throw ValidationError("--tls-certificate and --tls-key belong together.")
        }
    }
}

extension KeyHost: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }
}

/// A variable that the shell does not know makes an option that names no file.
func refuseEmpty(_ file: String?, _ option: String) throws {
    if file == "" { throw ValidationError("\(option) is empty; it needs the path of a PEM file.") }
}
