import Crypto
import PlimsollDocuments
package import PlimsollDomain
import PlimsollJSON

/// A key of App Store Connect, with which an account's owner lets a program in.
package struct ConnectKey: Sendable {
    private let issuer: String
    private let id: String
    private let key: P256.Signing.PrivateKey

    /// Apple takes tokens of up to 20 minutes; each request has its own.
    package static let tokenLifetime = Duration.seconds(600)
    package static let audience = "appstoreconnect-v1"

    /// Takes the private key as Apple hands it out: PEM, of P-256; `nil` for any other.
    package init?(issuer: String, id: String, pem: String) {
        guard !issuer.isEmpty, !id.isEmpty,
            let key = try? P256.Signing.PrivateKey(pemRepresentation: pem)
        else { return nil }
        (self.issuer, self.id, self.key) = (issuer, id, key)
    }

    /// A token for requests at about this time (RFC 7519, signed by ES256).
    package func token(at now: Instant) throws -> String {
        let issuedAt = now.millisecondsSince1970 / 1000
        let header: JSONObject = [
            "alg": "ES256", "kid": .string(id), "typ": "JWT",
        ]
        let claims: JSONObject = [
            "aud": .string(Self.audience),
            "exp": .integer(issuedAt + Self.tokenLifetime.components.seconds),
            "iat": .integer(issuedAt),
            "iss": .string(issuer),
        ]
        let head = CompactToken.head(header.canonicalBytes())
        let token = try CompactToken.signed(head, claims.canonicalBytes(), with: key)
        return String(decoding: token, as: UTF8.self)
    }
}
