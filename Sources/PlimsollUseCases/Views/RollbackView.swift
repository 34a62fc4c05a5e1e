package import PlimsollDomain

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
