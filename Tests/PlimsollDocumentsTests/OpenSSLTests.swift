import Foundation
import PlimsollDocuments
import PlimsollDomain
import Testing

/// A verifier that shares no line with ours says the same.
@Suite struct OpenSSLTests {
    /// Runs `openssl dgst -sha256 -verify` in a folder of its own and says whether it agreed.
    private func openSSLAccepts(
        _ message: [UInt8],
        _ signature: KeySignature,
        _ key: PublicKey
    ) throws -> Bool {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(message).write(to: folder.appendingPathComponent("message"))
        try Data(signature.der).write(to: folder.appendingPathComponent("signature"))
        try Data(key.pem.utf8).write(to: folder.appendingPathComponent("key.pem"))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "openssl", "dgst", "-sha256", "-verify", "key.pem", "-signature", "signature",
            "message",
        ]
        process.currentDirectoryURL = folder
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    @Test func `OpenSSL verifies a signed document, and no other`() throws {
        let key = OtherKey()
        let date = SignatureDate(Instant(millisecondsSince1970: 1_790_000_000_000))
        let signature = try DistributionSignature(
            signing: Vectors.body,
            date: date,
            with: key.signer
        )
        let message = Array(date.text.utf8) + Array(":".utf8) + Vectors.body
        #expect(try openSSLAccepts(message, signature.signature, key.publicKey))
        #expect(try !openSSLAccepts(message + [0x0A], signature.signature, key.publicKey))
        #expect(try !openSSLAccepts(message, signature.signature, OtherKey().publicKey))
    }

    @Test func `OpenSSL verifies a signed manifest`() throws {
        let key = OtherKey()
        let bytes = Array(#"{"app":"harbour"}"#.utf8)
        let signature = try Manifest.sign(bytes, with: key.signer)
        let message = Array("plimsoll-manifest/v1\n".utf8) + bytes
        #expect(try openSSLAccepts(message, signature, key.publicKey))
        #expect(try !openSSLAccepts(bytes, signature, key.publicKey))
    }
}
