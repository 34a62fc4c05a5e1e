package import PlimsollDomain

/// What one device shows in one state of a document, and in another.
package struct SimulationView: Equatable, Sendable {
    package let app: AppSlug
    package let from: DiffView.Side
    /// `nil` where one state is looked at, or edits that are no state yet.
    package let to: DiffView.Side?
    package let before: DeviceReading
    package let after: DeviceReading
    /// The apps in people's hands that refuse the document that was asked for.
    package let unread: [UnreadDocument]
    /// What the store offers the device; `nil` where that is not known.
    package let store: VersionValue?
}
