package import Crypto
package import PlimsollDomain

/// What signs with one key whose private half is at hand.
package struct ContentSigner: Sendable {
    package let keyID: KeyID
    private let sign: @Sendable (SHA256Digest) throws -> [UInt8]

    /// A key service signs digests; `sign` answers the signature in DER.
    package init(
        keyID: KeyID,
        sign: @escaping @Sendable (SHA256Digest) throws -> [UInt8]
    ) {
        self.keyID = keyID
        self.sign = sign
    }

    package init(keyID: KeyID, privateKey: P256.Signing.PrivateKey) {
        self.init(keyID: keyID) { digest in
            Array(try privateKey.signature(for: digest).derRepresentation)
        }
    }

    /// A private key as it lies in a file: PEM, in PKCS#8 or SEC 1.
    ///
    /// The error says nothing of the bytes, which are a secret.
    package init(keyID: KeyID, pem: [UInt8]) throws(PrivateKeyMalformed) {
        guard
            let text = String(validating: pem, as: UTF8.self),
            let key = P256.Signing.PrivateKey(pem: text)
        else { throw PrivateKeyMalformed() }
        self.init(keyID: keyID, privateKey: key)
    }

    package func signature(over digest: SHA256Digest) throws -> KeySignature {
        let der = try sign(digest)
        guard let signature = KeySignature(keyID: keyID, der: der) else {
            throw SignerAnsweredNoSignature(keyID: keyID)
        }
        return signature
    }
}

/// The bytes are no P-256 private key in PEM.
package struct PrivateKeyMalformed: Error, Equatable, Sendable, CustomStringConvertible {
    package let description = "The file is not a P-256 private key in PEM."
}

/// A key service answered something that is no signature in DER.
package struct SignerAnsweredNoSignature: Error, Equatable, Sendable, CustomStringConvertible {
    package let keyID: KeyID

    package var description: String { "The signer of the key \(keyID) answered no signature." }
}
