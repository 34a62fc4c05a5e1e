import PlimsollDocuments
import PlimsollDomain
import PlimsollSystem
import PlimsollTestSupport
import Testing

/// A verifier that shares no line with ours says the same.
@Suite struct OpenSSLTests {
    /// Runs `openssl dgst -sha256 -verify` in a folder of its own and says whether it agreed.
    private func openSSLAccepts(
        _ message: [UInt8],
        _ signature: KeySignature,
        _ key: PublicKey
    ) async throws -> Bool {
        try await withFolder { folder in
            try (folder / "message").writeDurably(message)
            try (folder / "signature").writeDurably(signature.der)
            try (folder / "key.pem").writeDurably(Array(key.pem.utf8))
            let check = [
                "dgst", "-sha256", "-verify", "\(folder / "key.pem")",
                "-signature", "\(folder / "signature")", "\(folder / "message")",
            ]
            return try await run("openssl", check).status == 0
        }
    }

    @Test func `OpenSSL verifies a signed document, and no other`() async throws {
        let key = OtherKey()
        let date = SignatureDate(Instant(millisecondsSince1970: 1_790_000_000_000))
        let signature = try DistributionSignature(
            signing: Vectors.body,
            date: date,
            with: key.signer
        )
        let message = Array(date.text.utf8) + Array(":".utf8) + Vectors.body
        #expect(try await openSSLAccepts(message, signature.signature, key.publicKey))
        #expect(try await !openSSLAccepts(message + [0x0A], signature.signature, key.publicKey))
        #expect(try await !openSSLAccepts(message, signature.signature, OtherKey().publicKey))
    }

    @Test func `OpenSSL verifies a signed manifest`() async throws {
        let key = OtherKey()
        let bytes = Array(#"{"app":"harbour"}"#.utf8)
        let signature = try Manifest.sign(bytes, with: key.signer)
        let message = Array("plimsoll-manifest/v1\n".utf8) + bytes
        #expect(try await openSSLAccepts(message, signature, key.publicKey))
        #expect(try await !openSSLAccepts(bytes, signature, key.publicKey))
    }
}
