package import Crypto
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
    ) -> Verification<VerifiedDocument> {
        guard let key = keys[keyID] else { return .refused(.keyUnknown([keyID])) }
        guard key.publicKey.accepts(signature, over: Self.digest(date: date, body: body)) else {
            return .refused(.signatureWrong(keyID))
        }
        return .verified(VerifiedDocument(body: body, signature: self))
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
