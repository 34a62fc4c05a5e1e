package import PlimsollDomain

/// What every known release shows in one state of a document, and in another.
package struct MatrixView: Equatable, Sendable {
    package let app: AppSlug
    package let from: DiffView.Side
    /// `nil` where one state is looked at.
    package let to: DiffView.Side?
    package let matrix: DeviceMatrix
}
