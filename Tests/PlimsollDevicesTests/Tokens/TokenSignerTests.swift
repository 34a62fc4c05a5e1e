import Crypto
import Foundation
import JWTKit
import PlimsollDevices
import PlimsollDomain
import PlimsollJSON
import PlimsollMarketplace
import PlimsollPublishing
import PlimsollSystem
import PlimsollTestSupport
import Testing

/// Every claim of an install verification token, and what it must never be.
@Suite struct TokenSignerTests {
    private let key = P256.Signing.PrivateKey()

    private func signer(_ lifetime: TokenLifetime = .standard) throws -> TokenSigner {
        let ring = try keyring(["\(keyID)=env:K"], ["K": key.pemRepresentation], now: testNow)
        return TokenSigner(ring, lifetime: lifetime)
    }

    private func token(
        _ version: UInt64 = 878_123_456_789,
        _ type: DownloadType = .download,
        lifetime: TokenLifetime = .standard,
        now: Instant = testNow
    ) throws -> TakenApart {
        try TakenApart(
            try signer(lifetime).token(
                for: try sampleOffer(version),
                marketplace: sampleMarketplace(),
                downloadType: type,
                now: now
            )
        )
    }

    @Test func `the header names algorithm, key and type, and nothing else`() throws {
        #expect(try token().header == #"{"alg":"ES256","kid":"\#(keyID)","typ":"JWT"}"#)
    }

    @Test func `claims are those that Apple names, and no others`() throws {
        let claims = try token().members
        #expect(
            Set(claims.keys) == [
                "aud", "bid", "dtype", "exp", "iat", "iid", "iss", "nonce", "vid",
            ]
        )
        #expect(claims["aud"] as? String == "AppleDownloadVerification-v1")
        #expect(claims["bid"] as? String == "org.example.harbour")
        #expect(claims["dtype"] as? String == "download")
        #expect(claims["iid"] as? String == "10737747186")
        #expect(claims["vid"] as? String == "878123456789")
    }

    @Test func `the issuer is the marketplace, as a string`() throws {
        #expect(try token().claims.contains(#""iss":"6497405838""#))
    }

    @Test(arguments: [60, 1200, 3600] as [Int64])
    func `times are whole numbers, and the token lives as long as is set`(
        seconds: Int64
    ) throws {
        let now = Instant(millisecondsSince1970: 1_790_000_000_999)
        let claims = try token(
            lifetime: try #require(TokenLifetime(seconds: seconds)),
            now: now
        ).claims
        #expect(claims.contains(#""iat":1790000000,"#))
        #expect(claims.contains(#""exp":\#(1_790_000_000 + seconds),"#))
    }

    @Test(arguments: [Int64.min, -1, 0, 59, 3601, 1 << 40])
    func `a lifetime that is senseless is none`(seconds: Int64) {
        #expect(TokenLifetime(seconds: seconds) == nil)
    }

    @Test func `both kinds of download are written as Apple writes them`() throws {
        for type in DownloadType.allCases {
            #expect(try token(7_000, type).members["dtype"] as? String == type.rawValue)
        }
    }

    @Test(arguments: [9_007_199_254_740_993, UInt64.max])
    func `numbers that are no doubles are written to the last digit`(_ version: UInt64) throws {
        #expect(try token(version).claims.contains(#""vid":"\#(version)""#))
    }

    @Test func `a nonce is a UUID in capitals, and another each time`() throws {
        let nonces = try (1...100).map { _ in try #require(token().members["nonce"] as? String) }
        #expect(Set(nonces).count == 100)
        for nonce in nonces { #expect(UUID(uuidString: nonce)?.uuidString == nonce) }
    }

    @Test func `the signature is two numbers, and the key's`() throws {
        let token = try token()
        #expect(token.signature.count == 64)
        #expect(token.isSigned(by: key.publicKey))
        #expect(!token.isSigned(by: P256.Signing.PrivateKey().publicKey))
    }

    @Test func `what is written is what another library reads`() async throws {
        let text = try signer().token(
            for: try sampleOffer(),
            marketplace: sampleMarketplace(),
            downloadType: .redownload,
            now: testNow
        )
        let keys = JWTKeyCollection()
        let publicKey = try ES256PublicKey(pem: key.publicKey.pemRepresentation)
        await keys.add(ecdsa: publicKey, kid: JWKIdentifier(string: keyID))
        let claims = try await keys.verify(text, as: InstallClaims.self)
        #expect(claims.dtype == "redownload")
        #expect(claims.exp - claims.iat == 1200)
    }

    private struct InstallClaims: JWTPayload {
        let iat: Int
        let exp: Int
        let dtype: String

        func verify(using algorithm: some JWTAlgorithm) throws {}
    }
}

/// The token that App Store Connect wants of developers, which is no install verification token.
@Suite struct DeveloperTokenTests {
    private let key = P256.Signing.PrivateKey()

    private func token(days: Int) async throws -> TakenApart {
        try await withFolder { folder in
            let file = folder / "key.pem"
            try file.writeDurably(Array(key.pemRepresentation.utf8), permissions: .ownerOnly)
            let developer = try #require(DeveloperID("A1B2C3D4E5"))
            let token = DeveloperToken(
                item(6_497_405_838),
                for: developer,
                days: days,
                now: testNow
            )
            let nobody = KeyManagementService()
            return try TakenApart(try await token.signed(with: .file(file), asking: nobody))
        }
    }

    @Test func `its audience is another, and it names no key`() async throws {
        let token = try await token(days: 1)
        #expect(token.header == #"{"alg":"ES256","typ":"JWT"}"#)
        let claims = try token.members
        #expect(Set(claims.keys) == ["aud", "exp", "iat", "iss", "pid"])
        #expect(claims["aud"] as? String == "appstoreconnect-v1")
        #expect(claims["iss"] as? String == "6497405838")
        #expect(claims["pid"] as? String == "A1B2C3D4E5")
        #expect(token.signature.count == 64)
        #expect(token.isSigned(by: key.publicKey))
    }

    @Test(arguments: 1...DeveloperToken.daysMaximum)
    func `it ends in less than a week`(days: Int) async throws {
        let claims = try await token(days: days).members
        let issued = try #require(claims["iat"] as? Int)
        let end = try #require(claims["exp"] as? Int)
        #expect(end - issued == days * 86_400)
        #expect(end - issued < 7 * 86_400)
    }

    @Test(arguments: ["", " ", "a b", String(repeating: "a", count: 101), "ä", "a\n"])
    func `what is no developer is refused`(text: String) {
        #expect(DeveloperID(text) == nil)
    }
}
