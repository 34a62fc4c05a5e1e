import Crypto
public import Foundation

/// A body as it arrived, with the two headers that sign it; nothing of it is trusted yet.
public struct SignedDocument: Hashable, Sendable {
    /// The name of the header with the key's id and the signature.
    public static let signatureHeader = "x-amz-meta-signature"
    /// The name of the header with the date that is signed with the body.
    public static let dateHeader = "x-amz-meta-signature-date"

    /// The bytes after decompression, otherwise untouched.
    public let body: Data
    /// The value of ``signatureHeader``; `nil` where it is missing.
    public let signature: String?
    /// The value of ``dateHeader``; `nil` where it is missing.
    public let date: String?

    /// Nothing is checked here.
    public init(body: Data, signature: String?, date: String?) {
        self.body = body
        self.signature = signature
        self.date = date
    }

    /// Checks the signature over the bytes of the date, a colon and the body.
    func verify(with keys: PinnedKeys) throws(AvailabilityError) {
        let (keyID, signature) = try parts()
        let date = try signedDate()
        guard let key = keys[keyID] else {
            throw AvailabilityError(
                .keyUnknown,
                "The document is signed with the key \(keyID), which is not pinned."
            )
        }
        var hasher = SHA256()
        hasher.update(data: Data(date.utf8))
        hasher.update(data: [UInt8(ascii: ":")])
        hasher.update(data: body)
        guard key.isValidSignature(signature, for: hasher.finalize()) else {
            throw AvailabilityError(
                .signatureWrong,
                "The signature of the key \(keyID) does not fit the bytes."
            )
        }
    }

    /// Takes `keyId="…",signature="…"` apart: two parts in this order, in double quotes, without
    /// a blank behind the comma, as all shipped phones have always been sent it.
    private func parts() throws(AvailabilityError) -> (String, P256.Signing.ECDSASignature) {
        guard let signature else { throw Self.missing(Self.signatureHeader) }
        let parts = signature.utf8.count <= 256 ? signature.components(separatedBy: "\"") : []
        guard
            parts.count == 5, parts[0] == "keyId=", parts[2] == ",signature=", parts[4].isEmpty,
            !parts[1].isEmpty, let der = Data(base64Encoded: parts[3]),
            // Foundation passes over some bytes that are not base64.
            der.base64EncodedString() == parts[3],
            let pair = try? P256.Signing.ECDSASignature(derRepresentation: der)
        else { throw Self.malformed(Self.signatureHeader) }
        return (parts[1], pair)
    }

    private func signedDate() throws(AvailabilityError) -> String {
        guard let date else { throw Self.missing(Self.dateHeader) }
        guard
            (1...64).contains(date.utf8.count), date.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { throw Self.malformed(Self.dateHeader) }
        return date
    }

    private static func missing(_ header: String) -> AvailabilityError {
        AvailabilityError(.signatureMissing, "The header \(header) is missing.")
    }

    private static func malformed(_ header: String) -> AvailabilityError {
        AvailabilityError(
            .signatureMalformed,
            "The header \(header) is not in the form that the service writes."
        )
    }
}
