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
    /// What keeps its changes from applying: its own freeze, or that of everything.
    package let freeze: FreezeView?
    /// The freezes that are planned and not over, soonest first; only as it is now.
    package let freezePlans: [FreezePlanView]

    package init(
        slug: AppSlug,
        settings: AppSettings,
        isDefault: Bool,
        position: Position,
        published: PublicationRecord?,
        freeze: FreezeView?,
        freezePlans: [FreezePlanView] = []
    ) {
        self.slug = slug
        self.settings = settings
        self.isDefault = isDefault
        self.position = position
        self.published = published
        self.freeze = freeze
        self.freezePlans = freezePlans
    }
}

/// What becomes of the addresses without a name when they are another app's.
package struct DefaultAppView: Sendable {
    package let app: App
    package let former: App?
    /// Of the event; of a rehearsal, the lowest that it can have.
    package let position: Position
    package let keyring: Keyring
    /// What was last published of the former one.
    package let published: PublicationRecord?
}
