import Crypto
import Foundation
import PlimsollDomain
import PlimsollIngestion
import PlimsollJSON
import PlimsollTestSupport
import Testing

/// The tokens that App Store Connect is asked with.
@Suite struct ConnectKeyTests {
    private func bytes(_ text: Substring) throws -> [UInt8] {
        let base = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - base.count % 4) % 4)
        return Array(try #require(Data(base64Encoded: base + padding)))
    }

    @Test func `a token says who asks whom, for ten minutes, and is signed by ES256`() throws {
        let key = P256.Signing.PrivateKey()
        let connect = try #require(
            ConnectKey(issuer: "issuer", id: "KEY1", pem: key.pemRepresentation)
        )
        let token = try connect.token(at: testNow)
        let parts = token.split(separator: ".")
        #expect(parts.count == 3 && !token.contains("="))
        let header = try JSONValue(parsing: try bytes(parts[0]))
        let seconds = testNow.millisecondsSince1970 / 1000
        #expect(header == ["alg": "ES256", "kid": "KEY1", "typ": "JWT"])
        #expect(
            try JSONValue(parsing: try bytes(parts[1])) == [
                "aud": "appstoreconnect-v1", "iss": "issuer", "iat": .integer(seconds),
                "exp": .integer(seconds + 600),
            ]
        )
        let signature = try bytes(parts[2])
        #expect(signature.count == 64)
        let signed = Data("\(parts[0]).\(parts[1])".utf8)
        #expect(
            key.publicKey.isValidSignature(try .init(rawRepresentation: signature), for: signed)
        )
    }

    @Test func `a key of another curve, or none, is refused`() {
        let other = P384.Signing.PrivateKey().pemRepresentation
        let pem = P256.Signing.PrivateKey().pemRepresentation
        for (issuer, id, pem) in [
            ("i", "k", other), ("i", "k", "x"), ("", "k", pem), ("i", "", pem),
        ] {
            #expect(ConnectKey(issuer: issuer, id: id, pem: pem) == nil)
        }
    }
}
