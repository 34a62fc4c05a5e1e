import Foundation
import PlimsollSystem

/// A certificate for this machine, as an edge is given one.
struct ServerCertificate {
    let chain: Path
    let key: Path

    /// How an edge is told of it.
    var arguments: [String] {
        ["--tls-certificate", chain.string, "--tls-key", key.string]
    }

    init(in folder: Path) async throws {
        (chain, key) = (folder / "server.pem", folder / "server.key")
        _ = try await Tool.output(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                "-subj", "/CN=localhost", "-days", "2", "-out", chain.string, "-keyout", key.string,
            ]
        )
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key.string)
    }
}
