package import PlimsollDomain

/// What a responder asks for.
package struct RollbackRequest: Equatable, Sendable {
    package let app: AppSlug
    package let target: RollbackTarget
    /// `nil` means every platform of the app.
    package let platforms: [Platform]?
    /// `nil` means every field; they say their platforms themselves.
    package let fields: [Field]?
    package let reason: Reason

    package init(
        app: AppSlug,
        target: RollbackTarget,
        platforms: [Platform]?,
        fields: [Field]? = nil,
        reason: Reason
    ) {
        self.app = app
        self.target = target
        self.platforms = platforms
        self.fields = fields
        self.reason = reason
    }
}
