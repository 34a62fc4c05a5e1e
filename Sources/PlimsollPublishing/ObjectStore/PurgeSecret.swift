import Crypto
import Foundation

/// What purge requests are signed with, and their receiver checks them with.
///
/// `whsec_` and the base64 of 24 to 64 bytes, as the Standard Webhooks specification has it.
package struct PurgeSecret: Equatable, Sendable {
    private let bytes: [UInt8]

    package static let grammar = "whsec_ and 24 to 64 bytes in base64"

    private static let prefix = "whsec_"

    package init?(_ text: String) {
        guard
            text.hasPrefix(Self.prefix),
            let data = Data(base64Encoded: String(text.dropFirst(Self.prefix.count))),
            (24...64).contains(data.count)
        else { return nil }
        bytes = Array(data)
    }

    /// `v1,` and the HMAC-SHA256, in base64, of the id, the time and the body, with full stops
    /// between them.
    func signature(id: String, seconds: Int64, body: [UInt8]) -> String {
        let signed = Array("\(id).\(seconds).".utf8) + body
        let code = HMAC<SHA256>.authenticationCode(
            for: signed,
            using: SymmetricKey(data: bytes)
        )
        return "v1," + Data(code).base64EncodedString()
    }
}

extension PurgeSecret: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { "<redacted>" }
    package var debugDescription: String { description }
}
