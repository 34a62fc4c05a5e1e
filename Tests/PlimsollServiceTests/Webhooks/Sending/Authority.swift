import Foundation
import NIOSSL
import PlimsollAPI
import PlimsollSystem
import PlimsollTestSupport
import Testing

/// An authority that no machine believes, made by `openssl` as an operator does.
struct Authority {
    private let folder: Path

    static func with<Result>(_ body: (Authority) async throws -> Result) async throws -> Result {
        let name = "plimsoll-authority-" + UUID().uuidString.lowercased()
        let authority = Authority(folder: Path(NSTemporaryDirectory() + name))
        try authority.folder.createFolder(permissions: .folderOfOwner)
        defer { try? authority.folder.removeTree() }
        try await authority.openssl("req", "-x509", "-subj", "/CN=Test", to: "authority")
        return try await body(authority)
    }

    /// What an operator gives the service.
    var trusted: CertificateAuthorities {
        get throws {
            let bytes = try path("authority.pem").read(sizeMaximum: 1 << 20)
            return try #require(CertificateAuthorities(pem: bytes, .besideOthers))
        }
    }

    /// A certificate for a host, as a receiver shows it.
    func server(for host: String) async throws -> NIOSSLContext {
        try await openssl(
            "req",
            "-x509",
            "-subj",
            "/CN=\(host)",
            "-addext",
            "subjectAltName=DNS:\(host)",
            "-addext",
            "basicConstraints=critical,CA:FALSE",
            "-CA",
            path("authority.pem").string,
            "-CAkey",
            path("authority.key").string,
            to: host
        )
        let chain = try NIOSSLCertificate.fromPEMFile(path("\(host).pem").string)
        let key = try NIOSSLPrivateKey(file: path("\(host).key").string, format: .pem)
        return try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) },
                privateKey: .privateKey(key)
            )
        )
    }

    private func path(_ name: String) -> Path { folder / name }

    private func openssl(_ arguments: String..., to name: String) async throws {
        let files = [
            "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30",
            "-keyout", path("\(name).key").string, "-out", path("\(name).pem").string,
        ]
        try await output(of: "openssl", arguments + files)
    }
}
