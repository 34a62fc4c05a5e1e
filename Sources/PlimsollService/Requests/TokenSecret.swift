import Crypto
package import PlimsollDomain
import PlimsollStore
import PlimsollSystem

/// The secret part of an access token: `plm_` and 256 random bits in hexadecimal.
package struct TokenSecret: Secret {
    package let text: String

    package init?(_ text: String) {
        let digits = text.utf8.dropFirst(4)
        guard text.utf8.starts(with: "plm_".utf8), digits.count == 64,
            digits.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        self.text = text
    }

    private init(unchecked text: String) {
        self.text = text
    }

    /// Takes the bits from the system's cryptographic generator.
    package static func random() -> TokenSecret {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        return TokenSecret(unchecked: "plm_" + hexadecimal(bytes))
    }

    /// What is recorded in its place; the secret has too many bits to be guessed from it.
    package var digest: SecretDigest {
        let hex = hexadecimal(SHA256.hash(data: Array(text.utf8)))
        guard let digest = SecretDigest(hex: hex) else {
            preconditionFailure("SHA-256 has 64 hexadecimal digits")
        }
        return digest
    }
}
