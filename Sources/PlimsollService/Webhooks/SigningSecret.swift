import Crypto
import Foundation
package import PlimsollDomain

/// What messages to a webhook are signed with, and what their receiver checks them with.
package struct SigningSecret: Sendable {
    private let bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// `whsec_` and base64, as the Standard Webhooks specification writes it.
    package var text: String { "whsec_" + Data(bytes).base64EncodedString() }

    /// `v1,` and the HMAC-SHA256, in base64, of the id, the time and the body, with full stops
    /// between them.
    package func signature(id: String, seconds: Int64, body: [UInt8]) -> String {
        let signed = Array("\(id).\(seconds).".utf8) + body
        let code = HMAC<SHA256>.authenticationCode(
            for: signed,
            using: SymmetricKey(data: bytes)
        )
        return "v1," + Data(code).base64EncodedString()
    }
}

/// What is sent, before it is signed: the same however often it is tried.
package struct WebhookMessage: Equatable, Sendable {
    /// A receiver that has it already may leave the message alone.
    package let id: String
    package let body: [UInt8]

    package init(id: String, body: [UInt8]) {
        self.id = id
        self.body = body
    }

    /// The headers, signed with each of the secrets, the newest first.
    package func headers(
        at now: Instant,
        _ secrets: [SigningSecret]
    ) -> [(name: String, value: String)] {
        let seconds = now.millisecondsSince1970 / 1000
        let signatures = secrets.map { $0.signature(id: id, seconds: seconds, body: body) }
        return [
            ("Content-Type", "application/json"), ("User-Agent", "Plimsoll"),
            ("webhook-id", id), ("webhook-timestamp", String(seconds)),
            ("webhook-signature", signatures.joined(separator: " ")),
        ]
    }
}
