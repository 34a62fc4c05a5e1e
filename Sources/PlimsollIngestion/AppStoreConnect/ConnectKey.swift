import Crypto
import Foundation
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
        let signed = [header, claims].map { base64URL($0.canonicalBytes()) }.joined(separator: ".")
        // r and s as they are: a signature in DER is refused.
        let signature = try key.signature(for: Array(signed.utf8)).rawRepresentation
        return "\(signed).\(base64URL(Array(signature)))"
    }
}

/// With the alphabet for addresses, without padding (RFC 4648, 5).
private func base64URL(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        .replacing("=", with: "")
}
