package import PlimsollDomain

/// What is different between two states of an app's documents.
package struct DiffView: Equatable, Sendable {
    package let app: AppSlug
    package let from: Side
    package let to: Side
    /// Each field that differs, platform by platform and in the order of the paths.
    package let changes: [FieldChange]
    /// What both states block of the devices that were counted last.
    package let blocked: [BlockedShare]

    /// A state as it was asked for, and where in the log it is found.
    package struct Side: Equatable, Sendable {
        package let name: StateName
        /// The last position of a whole append; for an open change, what it was laid over.
        package let position: Position
    }
}
