public import Foundation

/// Where a document belongs, and how old it is: its member `plimsoll`.
///
/// The signature is over bytes that any document of the same key could have. The stamp is what
/// keeps one from passing for another, or an old one for a new one.
public struct DocumentStamp: Hashable, Sendable {
    /// The slug of the app, such as `harbour`.
    public let app: String
    /// The platform it is for.
    public let platform: Platform
    /// The number of the publication; a later one is higher.
    public let sequence: Int64
    /// The position in the service's log whose state is published.
    public let position: Int64
    /// When the publication was ordered, by the service's clock.
    public let issuedAt: Date
    /// From then on it is stale: still the last word, but a newer one should have come.
    public let expiresAt: Date
}
