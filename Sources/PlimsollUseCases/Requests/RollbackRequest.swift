package import PlimsollDomain

/// What a responder asks for.
package struct RollbackRequest: Equatable, Sendable {
    package let app: AppSlug
    package let target: RollbackTarget
    /// `nil` means every platform of the app.
    package let platforms: [Platform]?
    package let reason: Reason

    package init(
        app: AppSlug,
        target: RollbackTarget,
        platforms: [Platform]?,
        reason: Reason
    ) {
        self.app = app
        self.target = target
        self.platforms = platforms
        self.reason = reason
    }
}
