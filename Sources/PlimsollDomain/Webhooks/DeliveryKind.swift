/// Why something was sent to a webhook.
package enum DeliveryKind: String, CaseIterable, Sendable {
    case event
    /// Sent once more, because somebody ordered it.
    case replay
    case test
}
