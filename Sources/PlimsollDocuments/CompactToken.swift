package import Crypto
import PlimsollJSON

/// A token in the compact form of RFC 7515: header, claims and signature in base64url.
package enum CompactToken {
    /// The header with its dot, which is the same for all tokens of a key.
    package static func head(_ header: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendBase64URL(header)
        bytes.append(UInt8(ascii: "."))
        return bytes
    }

    /// Signs with ES256: the two numbers of 32 bytes each, never their DER.
    package static func signed(
        _ head: [UInt8],
        _ claims: [UInt8],
        with key: P256.Signing.PrivateKey
    ) throws -> [UInt8] {
        let bytes = unsigned(head, claims)
        return closed(bytes, with: try key.signature(for: SHA256.hash(data: bytes)))
    }

    /// What is signed: header and claims.
    package static func unsigned(_ head: [UInt8], _ claims: [UInt8]) -> [UInt8] {
        var bytes = head
        bytes.reserveCapacity(head.count + claims.count * 4 / 3 + 92)
        bytes.appendBase64URL(claims)
        return bytes
    }

    /// The token of what was signed elsewhere.
    package static func closed(
        _ unsigned: consuming [UInt8],
        with signature: P256.Signing.ECDSASignature
    ) -> [UInt8] {
        unsigned.append(UInt8(ascii: "."))
        unsigned.appendBase64URL(Array(signature.rawRepresentation))
        return unsigned
    }
}
