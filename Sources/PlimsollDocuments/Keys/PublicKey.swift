package import Crypto

/// The public half of a content key: a point on P-256.
package struct PublicKey: Sendable {
    private let key: P256.Signing.PublicKey

    package init(_ key: P256.Signing.PublicKey) {
        self.key = key
    }

    /// Reads a SubjectPublicKeyInfo in DER.
    package init?(der: [UInt8]) {
        guard let key = try? P256.Signing.PublicKey(derRepresentation: der) else { return nil }
        self.key = key
    }

    /// Reads a SubjectPublicKeyInfo in PEM, as `openssl ec -pubout` writes it.
    package init?(pem: String) {
        guard let key = try? P256.Signing.PublicKey(pemRepresentation: pem) else { return nil }
        self.key = key
    }

    package init?(pem: [UInt8]) {
        guard let text = String(validating: pem, as: UTF8.self) else { return nil }
        self.init(pem: text)
    }

    package var der: [UInt8] { Array(key.derRepresentation) }

    /// With a line feed at the end, as a file has it.
    package var pem: String { key.pemRepresentation + "\n" }

    /// Whether the private half has signed exactly this.
    package func accepts(_ signature: KeySignature, over digest: SHA256Digest) -> Bool {
        guard let pair = try? P256.Signing.ECDSASignature(derRepresentation: signature.der) else {
            return false
        }
        return key.isValidSignature(pair, for: digest)
    }
}

extension PublicKey: Equatable {
    package static func == (left: PublicKey, right: PublicKey) -> Bool {
        left.key.rawRepresentation == right.key.rawRepresentation
    }
}
