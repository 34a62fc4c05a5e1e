import Crypto
import Foundation
package import Logging
import Metrics
package import PlimsollDomain
import PlimsollSystem

/// Signs messages and sends them, each once.
package struct WebhookSender: Sendable {
    package let key: WebhookKey
    private let sender: WebhookTransport
    let logger: Logger
    /// What attempts are dated by.
    package let now: @Sendable () -> Instant
    /// What receivers compare the time of a message with; nothing is decided by it.
    private let wallClock: @Sendable () -> Instant

    package init(
        _ key: WebhookKey,
        _ sender: WebhookTransport,
        logger: Logger,
        now: @escaping @Sendable () -> Instant,
        wallClock: @escaping @Sendable () -> Instant
    ) {
        self.key = key
        self.sender = sender
        self.logger = logger
        self.now = now
        self.wallClock = wallClock
    }

    /// Sends a message, signed with every secret that has not run out; `number` counts the attempts
    /// before this one.
    func attempt(
        _ kind: DeliveryKind,
        _ message: WebhookMessage,
        of position: Position?,
        to webhook: Webhook,
        number: Int
    ) async throws(CancellationError) -> Attempt {
        let (start, began) = (now(), ContinuousClock.now)
        let outcome: SendingOutcome
        switch signing(webhook, at: start) {
        case .success(let secrets):
            outcome = try await sender.send(
                message,
                headers: message.headers(at: wallClock(), secrets),
                to: webhook.settings.url,
                attempt: number
            )
        case .failure(let error): outcome = .failed(error.cause, because: "\(error)")
        }
        // Whoever may see the webhook is told less than whoever reads the log.
        if let cause = outcome.innerCause {
            logger.warning(
                "a message to a webhook was not sent",
                metadata: ["webhook.id": "\(webhook.id)", "error": "\(cause)"]
            )
        }
        let attempt = Attempt(
            kind,
            message: message.id,
            position: position,
            attemptedAt: start,
            duration: ContinuousClock.now - began,
            outcome: outcome
        )
        attempt.count()
        return attempt
    }

    /// The newest secret has to be there; an older one whose key is gone signs no more.
    private func signing(
        _ webhook: Webhook,
        at now: Instant
    ) -> Result<[SigningSecret], WebhookKeyError> {
        var secrets: [SigningSecret] = []
        for (index, secret) in webhook.secrets(at: now).enumerated() {
            do throws(WebhookKeyError) {
                secrets.append(try key.secret(of: webhook.id, secret))
            } catch {
                guard index > 0, case .another = error else { return .failure(error) }
            }
        }
        return .success(secrets)
    }
}

extension Attempt {
    fileprivate func count() {
        let result = outcome.failure == nil ? "delivered" : "failed"
        Counter(
            label: "plimsoll.webhook.attempts",
            dimensions: [("kind", kind.rawValue), ("outcome", result)]
        ).increment()
        Timer(label: "plimsoll.webhook.attempt.duration").record(duration: duration)
    }
}

/// What messages to a webhook are signed with, and what their receiver checks them with.
package struct SigningSecret: Secret {
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
