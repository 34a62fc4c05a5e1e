import Crypto
import Foundation
package import PlimsollDomain

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
