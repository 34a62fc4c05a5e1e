import Crypto

/// A token in the compact form of RFC 7515: header, claims and signature in base64url.
enum CompactToken {
    /// The header with its dot, which is the same for all tokens of a key.
    static func head(_ header: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendBase64URL(header)
        bytes.append(UInt8(ascii: "."))
        return bytes
    }

    /// Signs with ES256: the two numbers of 32 bytes each, never their DER.
    static func signed(
        _ head: [UInt8],
        _ claims: [UInt8],
        with key: P256.Signing.PrivateKey
    ) throws -> String {
        var bytes = head
        bytes.reserveCapacity(head.count + claims.count * 4 / 3 + 92)
        bytes.appendBase64URL(claims)
        let signature = try key.signature(for: SHA256.hash(data: bytes))
        bytes.append(UInt8(ascii: "."))
        bytes.appendBase64URL(Array(signature.rawRepresentation))
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension [UInt8] {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8
    )

    /// RFC 4648, section 5, without what would fill it up.
    mutating func appendBase64URL(_ bytes: [UInt8]) {
        var index = 0
        while index < bytes.count {
            let rest = Swift.min(bytes.count - index, 3)
            var group: UInt32 = 0
            for place in 0..<3 {
                group = group << 8 | (place < rest ? UInt32(bytes[index + place]) : 0)
            }
            for place in 0...rest {
                append(Self.alphabet[Int(group >> UInt32(18 - 6 * place) & 63)])
            }
            index += 3
        }
    }
}
