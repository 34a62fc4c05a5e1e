import Crypto
import Foundation
import PlimsollDevices
import PlimsollDomain
import PlimsollSystem
import PlimsollTestSupport
import Testing

/// Tokens by the thousand, checked by libraries that share nothing with the service.
@Suite(.timeLimit(.minutes(5))) struct ForeignVerifierTests {
    private static let script = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Verifier/verify.py").path
    private static let tokens = 10_000

    private struct Report: Decodable, Equatable {
        let tokens: Int
        let nonces: Int
        let versions: Int
        let lifetime: Int
    }

    @Test func `ten thousand tokens differ, and each is good`() async throws {
        let key = P256.Signing.PrivateKey()
        let ring = try keyring(["\(keyID)=env:K"], ["K": key.pemRepresentation], now: testNow)
        let signer = TokenSigner(ring, lifetime: try #require(TokenLifetime(seconds: 900)))
        // Of the machine's clock: the verifier refuses what has ended.
        let now = Instant(Date.now)
        var lines = ""
        for number in 1...Self.tokens {
            let token = try signer.token(
                for: try sampleOffer(UInt64(number % 10) + 100),
                marketplace: sampleMarketplace(),
                downloadType: number.isMultiple(of: 2) ? .download : .redownload,
                now: now
            )
            lines += token + "\n"
            if number.isMultiple(of: 100) { await Task.yield() }
        }
        let report = try await withFolder { folder in
            let (tokens, publicKey) = (folder / "tokens", folder / "public.pem")
            try tokens.writeDurably(Array(lines.utf8), permissions: .ownerOnly)
            try publicKey.writeDurably(
                Array(key.publicKey.pemRepresentation.utf8),
                permissions: .ownerOnly
            )
            let written = try await output(
                of: StoreProcess.python,
                [Self.script, tokens.string, publicKey.string, keyID, "6497405838"]
            )
            return try JSONDecoder().decode(Report.self, from: Data(written.utf8))
        }
        let expected = Report(
            tokens: Self.tokens,
            nonces: Self.tokens,
            versions: 10,
            lifetime: 900
        )
        #expect(report == expected)
    }
}
