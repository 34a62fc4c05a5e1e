package import PlimsollDomain

/// A document at a moment.
package struct DocumentView: Equatable, Sendable {
    package let app: AppSlug
    package let document: Document
    package let profile: DocumentProfile
    /// The position whose state it is: the last of a whole append.
    package let position: Position

    package init(
        app: AppSlug,
        document: Document,
        profile: DocumentProfile,
        position: Position
    ) {
        self.app = app
        self.document = document
        self.profile = profile
        self.position = position
    }
}
