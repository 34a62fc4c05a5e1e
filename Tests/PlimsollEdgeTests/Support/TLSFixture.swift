import Foundation
import NIOCore
import NIOSSL
import PlimsollSystem
import PlimsollTestSupport
import Testing

@testable import PlimsollEdge

/// A certificate with its key in a folder of their own, made by `openssl` as an operator does.
struct TLSFixture {
    static let host = "localhost"

    let folder: Path

    var certificate: Path { folder / "certificate.pem" }
    var key: Path { folder / "key.pem" }
    var files: TLSFiles { TLSFiles(certificate: certificate.string, key: key.string) }

    static func with<Result>(_ body: (TLSFixture) async throws -> Result) async throws -> Result {
        let name = "plimsoll-tls-" + UUID().uuidString.lowercased()
        let fixture = TLSFixture(folder: Path(NSTemporaryDirectory() + name))
        try fixture.folder.createFolder(permissions: .folderOfOwner)
        defer { try? fixture.folder.removeTree() }
        try await fixture.issue()
        return try await body(fixture)
    }

    /// Puts a new certificate and a new key in the place of those before.
    func issue(days: Int = 30) async throws {
        try await Self.openssl(
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-keyout",
            key.string,
            "-out",
            certificate.string,
            "-days",
            "\(days)",
            "-subj",
            "/CN=\(Self.host)",
            "-addext",
            "subjectAltName=DNS:\(Self.host)"
        )
    }

    static func openssl(_ arguments: String...) async throws {
        try await output(of: "openssl", arguments)
    }

    /// A client that trusts nothing but the certificate that lies there now.
    func client(
        speaking protocols: [String] = [],
        newest: TLSVersion? = nil
    ) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates(
            try NIOSSLCertificate.fromPEMBytes(certificate.read(sizeMaximum: 1 << 20))
        )
        configuration.applicationProtocols = protocols
        configuration.maximumTLSVersion = newest
        configuration.shutdownTimeout = .milliseconds(50)
        return try NIOSSLContext(configuration: configuration)
    }
}

/// An edge, and what a client speaks HTTP/2 to it with.
func serving(
    table: EdgeTable? = nil,
    _ body: @Sendable (EdgeAddress, NIOSSLContext) async throws -> Void
) async throws {
    try await TLSFixture.with { fixture in
        let client = try fixture.client(speaking: ["h2"])
        let source = try TLSSource(fixture.files)
        try await EdgeFixture.with(table: table, tls: source) { _, address in
            try await body(address, client)
        }
    }
}
