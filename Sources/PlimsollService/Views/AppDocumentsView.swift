package import PlimsollDomain

/// The documents of all platforms of an app, as they were at one moment.
package struct AppDocumentsView: Equatable, Sendable {
    package let app: AppSlug
    /// In the order of the platforms.
    package let documents: [Document]
    package let princeClients: PrinceClients
    package let releases: ReleasesTold
    /// The time of the moment, by which stores have a release or do not.
    package let at: Instant
    /// The position whose state it is: the last of a whole append.
    package let position: Position
}
