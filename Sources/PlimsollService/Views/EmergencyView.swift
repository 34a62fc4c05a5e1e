package import PlimsollDomain

/// The receipt of an emergency.
package struct EmergencyView: Equatable, Sendable {
    package let app: AppSlug
    /// What it is called among the changes; `nil` where it was only tried.
    package let change: ChangeID?
    /// The last position of the append; `nil` where it was only tried.
    package let position: Position?
    /// The sequence under which it is published; `nil` where it was only tried.
    package let sequence: SnapshotSequence?
    package let incident: Title
    /// The review that it opens.
    package let order: ReviewOrder
    /// What names the review; `nil` where it was only tried.
    package let review: Position?
    package let changes: [FieldChange]
    /// The changes that wait for their time and are in conflict now.
    package let overtaken: [ChangeID]
    /// Required texts that people would read now, and that nobody has written.
    package let textsMissing: [Field]
    /// What looks like a mistake in what it wrote.
    package let findings: [CheckFinding]
    /// What it blocks of the devices that were counted.
    package let blocked: [BlockedShare]
}
