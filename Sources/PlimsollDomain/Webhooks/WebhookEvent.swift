/// What happens to the places that events are sent to, on the stream `webhooks`.
package enum WebhookEvent: Equatable, Sendable {
    case webhookRegistered(WebhookID, WebhookSettings, WebhookKeyID)
    /// The secret before it signs as well until then, so that receivers can change over; those
    /// before that until they were said to end.
    case webhookSecretRotated(WebhookID, WebhookKeyID, previousUntil: Instant)
    /// The cause is told where the service gave up; whoever does it by hand gives a reason.
    case webhookDisabled(WebhookID, cause: String?)
    case webhookEnabled(WebhookID)
    /// What was sent of these positions is to be sent once more.
    case webhookReplayOrdered(WebhookID, since: Position, until: Position)
    case webhookRemoved(WebhookID)

    package var webhook: WebhookID {
        switch self {
        case .webhookRegistered(let id, _, _), .webhookSecretRotated(let id, _, _),
            .webhookDisabled(let id, _), .webhookEnabled(let id),
            .webhookReplayOrdered(let id, _, _), .webhookRemoved(let id):
            id
        }
    }
}
