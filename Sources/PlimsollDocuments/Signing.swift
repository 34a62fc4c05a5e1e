package import Crypto
import Foundation
package import PlimsollDomain

/// What is sent beside a document so that phones can tell that it is ours.
///
/// Signed are the bytes of the date, a colon, and the body exactly as it is served; neither the
/// path nor the key id. So any signed document passes for any other of the same key, and only
/// the members within the body tell them apart.
package struct DistributionSignature: Hashable, Sendable {
    package let date: SignatureDate
    package let signature: KeySignature

    package static let signatureHeader = "x-amz-meta-signature"
    package static let dateHeader = "x-amz-meta-signature-date"

    package init(date: SignatureDate, signature: KeySignature) {
        self.date = date
        self.signature = signature
    }

    /// Signs a body as of a date.
    package init(
        signing body: [UInt8],
        date: SignatureDate,
        with signer: ContentSigner
    ) throws {
        self.date = date
        signature = try signer.signature(over: Self.digest(date: date, body: body))
    }

    package var keyID: KeyID { signature.keyID }

    /// The two headers in their order.
    package var headers: [(name: String, value: String)] {
        [(Self.signatureHeader, signature.headerValue), (Self.dateHeader, date.text)]
    }

    /// Reads the values of the two headers; `nil` where one is missing.
    ///
    /// Accepts what both iOS and Android accept, which is less than either.
    package init(
        signatureHeader: String?,
        dateHeader: String?
    ) throws(VerificationRefusal) {
        guard let signatureHeader else { throw .headerMissing(Self.signatureHeader) }
        guard let dateHeader else { throw .headerMissing(Self.dateHeader) }
        guard let signature = KeySignature(headerValue: signatureHeader) else {
            throw .headerMalformed(Self.signatureHeader)
        }
        guard let date = SignatureDate(dateHeader) else {
            throw .headerMalformed(Self.dateHeader)
        }
        self.init(date: date, signature: signature)
    }

    /// Checks the signature over a body with the keys that are trusted.
    package func verify(
        _ body: [UInt8],
        keys: TrustedKeys
    ) throws(VerificationRefusal) -> VerifiedDocument {
        guard let key = keys[keyID] else { throw .keyUnknown([keyID]) }
        guard key.publicKey.accepts(signature, over: Self.digest(date: date, body: body)) else {
            throw .signatureWrong(keyID)
        }
        return VerifiedDocument(body: body, signature: self)
    }

    /// What a key has to sign for a body to be signed as of a date.
    package static func digest(date: SignatureDate, body: [UInt8]) -> SHA256Digest {
        var hasher = SHA256()
        hasher.update(data: Array(date.text.utf8))
        hasher.update(data: [UInt8(ascii: ":")])
        hasher.update(data: body)
        return hasher.finalize()
    }
}

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

/// A signature and the key it was made with: ECDSA over P-256 and SHA-256, in DER.
package struct KeySignature: Hashable, Sendable {
    package let keyID: KeyID
    package let der: [UInt8]

    /// Takes the signature from its DER; `nil` if that is not a pair of numbers.
    package init?(keyID: KeyID, der: [UInt8]) {
        guard (try? P256.Signing.ECDSASignature(derRepresentation: der)) != nil else { return nil }
        self.keyID = keyID
        self.der = der
    }

    /// Takes the signature from the base64 of its DER: the standard alphabet, padded.
    package init?(keyID: KeyID, base64: String) {
        guard let data = Data(base64Encoded: base64), data.base64EncodedString() == base64 else {
            return nil
        }
        self.init(keyID: keyID, der: Array(data))
    }

    package var base64: String { Data(der).base64EncodedString() }

    /// The form that shipped phones take apart: two parts in this order, in double quotes, without
    /// a blank behind the comma, which iOS would skip and Android would not.
    package var headerValue: String {
        "\(Self.opening)\(keyID)\(Self.middle)\(base64)\(Self.closing)"
    }

    /// Reads exactly the form that both iOS and Android accept.
    package init?(headerValue: String) {
        var rest = headerValue[...]
        guard
            rest.utf8.count <= 256, rest.removeFirst(Self.opening),
            rest.removeLast(Self.closing), let middle = rest.firstRange(of: Self.middle),
            let keyID = KeyID(String(rest[..<middle.lowerBound]))
        else { return nil }
        self.init(keyID: keyID, base64: String(rest[middle.upperBound...]))
    }

    private static let opening = "keyId=\""
    private static let middle = "\",signature=\""
    private static let closing = "\""
}

extension Substring {
    fileprivate mutating func removeFirst(_ prefix: String) -> Bool {
        guard hasPrefix(prefix) else { return false }
        self = dropFirst(prefix.count)
        return true
    }

    fileprivate mutating func removeLast(_ suffix: String) -> Bool {
        guard hasSuffix(suffix) else { return false }
        self = dropLast(suffix.count)
        return true
    }
}

extension P256.Signing.PrivateKey {
    /// Reads the one private key in a text; what stands around it, such as the parameters of the
    /// curve that `openssl ecparam` writes in front, is passed over.
    package init?(pem text: String) {
        let blocks = text.split(separator: "-----BEGIN ").compactMap { block -> String? in
            guard let label = block.split(separator: "-----", maxSplits: 1).first,
                ["EC PRIVATE KEY", "PRIVATE KEY"].contains(label),
                let end = block.firstRange(of: "-----END \(label)-----")
            else { return nil }
            return "-----BEGIN " + block[..<end.upperBound]
        }
        guard blocks.count == 1, let key = try? Self(pemRepresentation: blocks[0]) else {
            return nil
        }
        self = key
    }
}

/// The text that stands before a document when it is signed: `Mon, 03 Aug 2020 22:59:35 UTC`.
///
/// To phones it is a salt: they accept any text that was signed with the document. Ours is the
/// one they have always seen, with `UTC` where HTTP would write `GMT`.
package struct SignatureDate: TextName {
    package let text: String

    private static let lengthMaximum = 64

    /// The second that the instant lies in.
    package init(_ instant: Instant) {
        text = "\(CivilTime(instant).mailText) UTC"
    }

    /// Takes any text that can stand in a header: printable ASCII, no blanks at its ends.
    package init?(_ text: String) {
        let bytes = text.utf8
        guard
            (1...Self.lengthMaximum).contains(bytes.count),
            bytes.allSatisfy({ (0x20...0x7E).contains($0) }),
            bytes.first != 0x20, bytes.last != 0x20
        else { return nil }
        self.text = text
    }
}
