import Crypto
import Foundation
package import PlimsollDomain

extension PersonSignature {
    /// Reads what `ssh-keygen -Y sign` writes, armour and all; `nil` where it is none, or its key is of a
    /// kind that is not taken.
    package init?(armored text: String, at signedAt: Instant) {
        let lines = text.split(whereSeparator: \.isNewline)
        guard lines.first == "-----BEGIN SSH SIGNATURE-----",
            lines.last == "-----END SSH SIGNATURE-----"
        else { return nil }
        let value = lines.dropFirst().dropLast().joined()
        guard let blob = Data(base64Encoded: value),
            let signature = SSHSignature(Array(blob)),
            let key = PersonKey(blob: signature.publicKey)
        else { return nil }
        self.init(by: key, at: signedAt, value)
    }

    /// Whether the key has signed exactly this statement.
    package func signs(_ statement: ApprovalStatement) -> Bool {
        guard let blob = Data(base64Encoded: value),
            let signature = SSHSignature(Array(blob)),
            signature.namespace == Array(ApprovalStatement.namespace.utf8),
            signature.publicKey == key.blob,
            let signed = signature.signedBytes(of: Array(statement.text.utf8))
        else { return false }
        return key.accepts(signature.signature, over: signed)
    }
}

extension PersonKey {
    /// What `ssh-keygen -l` shows of it: `SHA256:` and the hash in base64.
    package var fingerprint: String {
        let hash = Data(SHA256.hash(data: blob)).base64EncodedString()
        return "SHA256:" + hash.prefix { $0 != "=" }
    }

    /// Whether it is a key, and no other bytes of the same length, nor one that anybody can sign for.
    package var isUsable: Bool {
        switch algorithm {
        case Self.ed25519: ed25519Key.map { !Self.takesAnything($0) } ?? false
        default: p256Key != nil
        }
    }

    /// Whether it is of small order.
    ///
    /// Of eight messages such a key takes one or more as signed, where the signature is the neutral point
    /// and nothing; no other key takes any.
    private static func takesAnything(_ key: Curve25519.Signing.PublicKey) -> Bool {
        let nothing: [UInt8] = [1] + Array(repeating: 0, count: 63)
        return (UInt8.min...UInt8.max).contains { key.isValidSignature(nothing, for: [$0]) }
    }

    /// Reads a key as the SSH protocol encodes it.
    fileprivate init?(blob: [UInt8]) {
        var fields = SSHFields(blob)
        guard let name = fields.string(), let algorithm = String(validating: name, as: UTF8.self)
        else { return nil }
        self.init("\(algorithm) \(Data(blob).base64EncodedString())")
    }

    /// The key as the SSH protocol encodes it.
    fileprivate var blob: [UInt8] { Data(base64Encoded: String(base64)).map(Array.init) ?? [] }

    /// Whether the private half has signed the bytes; a signature is encoded as RFC 8709 and RFC 5656 say.
    fileprivate func accepts(_ signature: [UInt8], over bytes: [UInt8]) -> Bool {
        var fields = SSHFields(signature)
        guard fields.string() == Array(algorithm.utf8), let raw = fields.string(), fields.isAtEnd
        else { return false }
        switch algorithm {
        case Self.ed25519:
            return ed25519Key?.isValidSignature(raw, for: bytes) ?? false
        default:
            var pair = SSHFields(raw)
            guard let r = pair.scalar(), let s = pair.scalar(), pair.isAtEnd,
                let signature = try? P256.Signing.ECDSASignature(rawRepresentation: r + s)
            else { return false }
            return p256Key?.isValidSignature(signature, for: bytes) ?? false
        }
    }

    private static let ed25519 = "ssh-ed25519"

    /// What stands last in the blob: the key itself.
    private var keyBytes: [UInt8]? {
        var fields = SSHFields(blob)
        guard fields.string() == Array(algorithm.utf8) else { return nil }
        if algorithm != Self.ed25519, fields.string() != Array("nistp256".utf8) { return nil }
        guard let bytes = fields.string(), fields.isAtEnd else { return nil }
        return bytes
    }

    private var ed25519Key: Curve25519.Signing.PublicKey? {
        keyBytes.flatMap { try? Curve25519.Signing.PublicKey(rawRepresentation: $0) }
    }

    private var p256Key: P256.Signing.PublicKey? {
        keyBytes.flatMap { try? P256.Signing.PublicKey(x963Representation: $0) }
    }
}

/// A signature as `ssh-keygen -Y sign` makes it, which OpenSSH's `PROTOCOL.sshsig` describes.
private struct SSHSignature {
    let publicKey: [UInt8]
    let namespace: [UInt8]
    let signature: [UInt8]
    private let reserved: [UInt8]
    private let hash: [UInt8]

    private static let magic = Array("SSHSIG".utf8)

    init?(_ blob: [UInt8]) {
        guard blob.starts(with: Self.magic) else { return nil }
        var fields = SSHFields(blob.dropFirst(Self.magic.count))
        guard fields.number() == 1, let publicKey = fields.string(),
            let namespace = fields.string(), let reserved = fields.string(),
            let hash = fields.string(), let signature = fields.string(), fields.isAtEnd
        else { return nil }
        self.publicKey = publicKey
        self.namespace = namespace
        self.reserved = reserved
        self.hash = hash
        self.signature = signature
    }

    /// What the key signs in the place of the message; `nil` where it is hashed in a strange way.
    func signedBytes(of message: [UInt8]) -> [UInt8]? {
        let digest: [UInt8]
        switch String(validating: hash, as: UTF8.self) {
        case "sha512": digest = Array(SHA512.hash(data: message))
        case "sha256": digest = Array(SHA256.hash(data: message))
        default: return nil
        }
        return [namespace, reserved, hash, digest].reduce(into: Self.magic) { bytes, field in
            bytes += withLength(field)
        }
    }

    private func withLength(_ field: [UInt8]) -> [UInt8] {
        let length = UInt32(field.count)
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + field
    }
}

/// Reads what the SSH protocol encodes: numbers of four bytes, and strings behind their length.
private struct SSHFields {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: some Sequence<UInt8>) { rest = ArraySlice(Array(bytes)) }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func number() -> UInt32? {
        guard rest.count >= 4 else { return nil }
        defer { rest = rest.dropFirst(4) }
        return rest.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    mutating func string() -> [UInt8]? {
        guard let length = number(), rest.count >= Int(length) else { return nil }
        defer { rest = rest.dropFirst(Int(length)) }
        return Array(rest.prefix(Int(length)))
    }

    /// A whole number below 2²⁵⁶, in 32 bytes.
    mutating func scalar() -> [UInt8]? {
        guard let bytes = string() else { return nil }
        let digits = bytes.drop { $0 == 0 }
        guard digits.count <= 32, bytes.first.map({ $0 < 0x80 }) ?? false else { return nil }
        return Array(repeating: 0, count: 32 - digits.count) + digits
    }
}
