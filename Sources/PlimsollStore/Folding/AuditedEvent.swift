package import PlimsollDomain

/// An event with what only its place in the log tells: what it is about, and what it changed.
package struct AuditedEvent: Equatable, Sendable {
    package let recorded: RecordedEvent
    /// The app that it is about, if it is about one.
    package let app: AppSlug?
    /// The change that it belongs to, or that its append carried out.
    package let change: ChangeID?
    /// Each field that it wrote, before and after it.
    package let fields: [FieldChange]
    /// What stood where it puts something else that is no field.
    package let predecessor: Predecessor?

    package init(
        _ recorded: RecordedEvent,
        app: AppSlug?,
        change: ChangeID?,
        fields: [FieldChange],
        predecessor: Predecessor? = nil
    ) {
        self.recorded = recorded
        self.app = app
        self.change = change
        self.fields = fields
        self.predecessor = predecessor
    }

    package var position: Position { recorded.position }
}
