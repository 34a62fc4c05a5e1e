import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import Metrics
import NIOCore
import PlimsollAPI
import PlimsollDomain
import PlimsollService

/// What Apple signs its notifications with: two at a time, so that one can take the other's place.
package struct NotificationSecrets: Sendable {
    private let keys: [SymmetricKey]

    package init(_ secrets: [String]) {
        keys = secrets.map { SymmetricKey(data: Array($0.utf8)) }
    }

    package var isEmpty: Bool { keys.isEmpty }

    /// Whether the header is the signature of the bytes; how long that takes tells nothing of where
    /// they differ.
    package func vouch(for body: [UInt8], signedAs field: String) -> Bool {
        let prefix = "hmacsha256="
        guard field.hasPrefix(prefix), let signature = bytes(hex: field.dropFirst(prefix.count))
        else { return false }
        return keys.contains {
            HMAC<SHA256>.isValidAuthenticationCode(signature, authenticating: body, using: $0)
        }
    }
}

private func bytes(hex text: Substring) -> [UInt8]? {
    let digits = text.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
    guard digits.count == 2 * SHA256.byteCount else { return nil }
    var bytes: [UInt8] = []
    for place in stride(from: 0, to: digits.count, by: 2) {
        guard let high = digits[place], let low = digits[place + 1] else { return nil }
        bytes.append(UInt8(high << 4 | low))
    }
    return bytes
}

/// `POST /marketplace/notifications`: what Apple tells a marketplace's server.
///
/// It is answered as taken only once the record has it. Whatever is Apple's and no text is refused;
/// whatever else goes wrong is answered with 503, so that Apple sends it again.
struct NotificationController {
    let useCases: UseCases
    let secrets: NotificationSecrets

    var handler: EndpointHandler<PlimsollContext> { .raw(Endpoints.takeNotification, take) }

    private func take(_ request: Request, _ context: PlimsollContext) async throws -> Reply {
        try QueryReader(request).finish()
        guard !secrets.isEmpty else { throw Problem.noSecret }
        let body = try await boundedBody(of: request)
        guard secrets.vouch(for: body, signedAs: request.headers[.appleSignature] ?? "") else {
            count("refused")
            throw Problem.badSignature
        }
        guard let parts = AppleNotification.parts(of: body) else {
            count("unreadable")
            let isLong = body.count > AppleNotification.bytesMaximum
            throw isLong ? Problem.longNotification : Problem.noText
        }
        let outcome = try await outcome(of: parts, context)
        count(outcome.rawValue)
        if outcome == .kept, let first = parts.first {
            context.logger.warning(
                "a notification from Apple led to nothing",
                metadata: ["notification": "\(first.whyKept)"]
            )
        }
        return Reply(NotificationAnswer(outcome: outcome))
    }

    private func boundedBody(of request: Request) async throws -> [UInt8] {
        let length = request.headers[.contentLength].flatMap { Int($0) } ?? 0
        guard length <= AppleNotification.listBytesMaximum else { throw Problem.longNotification }
        let body = try await request.wholeBody()
        guard body.readableBytes <= AppleNotification.listBytesMaximum else {
            throw Problem.longNotification
        }
        return Array(body.readableBytesView)
    }

    /// Nothing that stands in the way is of Apple's making, so that it is asked to send once more.
    private func outcome(
        of parts: [AppleNotification],
        _ context: PlimsollContext
    ) async throws -> NotificationOutcome {
        do {
            return try await useCases.take(parts, requestID: context.requestID)
        } catch {
            count("failed")
            let problem = Problem(error)
            guard problem.status < 500 else { throw error }
            context.logger.error(
                "a notification from Apple could not be recorded",
                metadata: ["reason": "\(problem.detail)"]
            )
            throw Problem(.unavailable, detail: problem.detail)
        }
    }

    private func count(_ outcome: String) {
        Counter(label: "plimsoll.marketplace.notifications", dimensions: [("outcome", outcome)])
            .increment()
    }
}

/// `/v1/notifications`: those that nothing followed from yet.
struct KeptNotificationController {
    let useCases: UseCases

    var handlers: [EndpointHandler<CallerContext>] {
        [
            .read(Endpoints.listNotifications) { try useCases.notifications(for: $0.caller) },
            .write(Endpoints.dropNotifications) { call in
                try await useCases.perform(
                    DropNotifications(
                        of: call.form.item,
                        in: call.form.marketplace,
                        reason: call.form.reason,
                        by: call.write.caller.principal
                    ),
                    call.write
                )
            },
        ]
    }
}

/// `/v1/accounts`: what is kept of those who install.
struct AccountController {
    let useCases: UseCases

    var handlers: [EndpointHandler<CallerContext>] {
        [
            .write(Endpoints.forgetAccount) { call in
                try await useCases.forgetAccount(call.form.account, call.write)
            }
        ]
    }
}

extension HTTPField.Name {
    fileprivate static let appleSignature = knownName("x-apple-signature")
}

extension Problem {
    fileprivate static let noSecret = Problem(
        .unavailable,
        detail: "No secret is configured here that notifications from Apple could be held against:"
            + " set marketplace.notifications.secret."
    )

    fileprivate static let badSignature = Problem(
        .unauthenticated,
        detail: "The body is not signed with a secret of this service.",
        errors: [
            Fault(
                at: .header("x-apple-signature"),
                code: "signatureWrong",
                detail: "The header is not the HMAC-SHA256 of the body with such a secret.",
                remedy: "Register the webhook anew with the secret that is configured here."
            )
        ]
    )

    fileprivate static let noText = Problem(
        .malformedJSON,
        detail: "The body is empty, or no text.",
        errors: [
            Fault(
                at: nil,
                code: "malformedJSON",
                detail: "The body is no text in UTF-8.",
                remedy: "Send JSON."
            )
        ]
    )

    fileprivate static let longNotification = Problem(
        .tooLarge,
        detail: "A notification has at most \(AppleNotification.bytesMaximum) bytes, a list of"
            + " packages that are taken down \(AppleNotification.listBytesMaximum)."
    )
}
