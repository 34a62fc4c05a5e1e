/// A field that a change would write, and that somebody else wrote after its base.
package struct FieldConflict: Equatable, Sendable {
    package let field: Field
    /// What stood there when the change was made.
    package let base: FieldValue?
    package let live: FieldValue?
    /// Who wrote it since, when and why.
    package let write: FieldWrite

    package init(field: Field, base: FieldValue?, live: FieldValue?, write: FieldWrite) {
        (self.field, self.base, self.live, self.write) = (field, base, live, write)
    }
}

extension App {
    /// The conflicts of a change that had this before it when it was made.
    package func conflicts(of change: Change, since past: PastState) -> [FieldConflict] {
        effect(of: change.operations).compactMap { effect in
            guard let write = lastWrite(of: effect.field), write.position > change.base else {
                return nil
            }
            return FieldConflict(
                field: effect.field,
                base: past.document(effect.field.platform)[effect.field],
                live: effect.before,
                write: write
            )
        }
    }
}
