package import PlimsollDomain

/// An app as people see it.
package struct AppView: Equatable, Sendable {
    package let slug: AppSlug
    package let settings: AppSettings
    package let isDefault: Bool
    /// The last position of the log that the answer takes in.
    package let position: Position
    /// What was last published of it, if anything was.
    package let published: PublicationRecord?

    package init(
        slug: AppSlug,
        settings: AppSettings,
        isDefault: Bool,
        position: Position,
        published: PublicationRecord?
    ) {
        self.slug = slug
        self.settings = settings
        self.isDefault = isDefault
        self.position = position
        self.published = published
    }
}
