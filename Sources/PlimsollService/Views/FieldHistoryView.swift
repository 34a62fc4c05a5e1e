package import PlimsollDomain

/// An event that wrote a field, and the people behind it.
package struct FieldWriteView: Equatable, Sendable {
    /// The field before and after the event.
    package let change: FieldChange
    package let event: RecordedEvent
    /// The change behind it; `nil` where nobody proposed it, as with a rollback.
    package let cause: BlameView.Cause?
}

/// Which writes of a field are wanted, newest first.
package struct FieldHistoryQuery: Equatable, Sendable {
    package let app: AppSlug
    package let field: Field
    /// The event behind which to go on.
    package var after: Position?
    package var limit = 50

    package static let limitMaximum = 500

    package init(app: AppSlug, field: Field) {
        (self.app, self.field) = (app, field)
    }
}
