/// What becomes of a field that somebody wrote after the base of a change that is revised.
package enum ConflictChoice: String, CaseIterable, Sendable {
    /// What the change says.
    case mine
    /// What is live.
    case theirs
}

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

extension App {
    /// The edits without what they would do to some fields.
    func operations(_ operations: [Operation], sparing fields: Set<Field>) -> [Operation] {
        guard !fields.isEmpty else { return operations }
        return operations.flatMap { operation -> [Operation] in
            if let field = operation.field { return fields.contains(field) ? [] : [operation] }
            guard fields.contains(where: { $0.place == operation.place }) else {
                return [operation]
            }
            let others = document(operation.platform).fields.filter {
                $0.place == operation.place && !fields.contains($0)
            }
            return others.compactMap(Operation.init(clearing:))
        }
    }
}

extension Operation {
    /// `nil` for offers, which are no part of a threshold.
    fileprivate init?(clearing field: Field) {
        switch field.subject {
        case .offers: return nil
        case .threshold(let name, .value): self.init(field.platform, name, .clearValue)
        case .threshold(let name, .text(let part, let language)):
            self.init(field.platform, name, .removeText(part, language))
        }
    }
}
