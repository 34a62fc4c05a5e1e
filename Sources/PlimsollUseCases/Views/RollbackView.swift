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

/// The receipt of a rollback.
package struct RollbackView: Equatable, Sendable {
    package let app: AppSlug
    /// The last position of the append; `nil` where it was only tried.
    package let position: Position?
    /// The sequence under which the old content is published; `nil` where it was only tried.
    package let sequence: SnapshotSequence?
    /// The position whose state was restored.
    package let target: Position
    package let platforms: [Platform]
    package let changes: [FieldChange]
}
