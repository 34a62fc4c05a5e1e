package import PlimsollDomain

/// The releases of an app that are known, or were.
package struct ReleasesView: Equatable, Sendable {
    package let app: AppSlug
    /// The last position of the log that the answer takes in.
    package let position: Position
    package let book: ReleaseBook
}
