import Foundation
import PlimsollAPI
import Testing

/// The check of a signature as a stranger makes it: with `openssl` and nothing of this package.
struct OpenSSL {
    let folder: URL

    /// Whether the document is signed by the key that its header names, as published by the edge.
    ///
    /// A body that is not the answer's own shows that the check can fail.
    func verifies(
        _ answer: WebAnswer,
        body: [UInt8]? = nil,
        fetching key: (String) async throws -> WebAnswer
    ) async throws -> Bool {
        let header = try #require(answer.header("x-amz-meta-signature"))
        let date = try #require(answer.header("x-amz-meta-signature-date"))
        let parts = header.split(separator: "\"", omittingEmptySubsequences: false)
        try #require(parts.count == 5 && parts[0] == "keyId=" && parts[2] == ",signature=")
        let published = try await key("/distribution/keys/\(parts[1]).pem")
        try #require(published.status == 200)
        try write("key.pem", published.body)
        try write("signature.base64", Array(parts[3].utf8))
        try write("signed", Array("\(date):".utf8) + (body ?? answer.body))
        let decoded = try await openssl(
            "base64",
            "-d",
            "-A",
            "-in",
            path("signature.base64"),
            "-out",
            path("signature")
        )
        try #require(decoded.status == 0, "\(decoded.errors)")
        let checked = try await openssl(
            "dgst",
            "-sha256",
            "-verify",
            path("key.pem"),
            "-signature",
            path("signature"),
            path("signed")
        )
        return checked.status == 0 && checked.output.contains("Verified OK")
    }

    private func openssl(_ arguments: String...) async throws -> Outcome {
        try await Program.run("openssl", arguments)
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    private func write(_ name: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: folder.appending(path: name))
    }
}

extension RunningServer {
    /// Fails the test unless the served document carries a signature that holds.
    func expectSigned(_ published: Published) async throws {
        let openssl = OpenSSL(folder: fixture.folder)
        #expect(try await openssl.verifies(published.answer) { try await phone($0) })
    }
}
