/// A field that a change would write, and that somebody else wrote after its base; or offers in
/// which its edits have no place any more.
package struct FieldConflict: Equatable, Sendable {
    package let field: Field
    /// What stood there when the change was made.
    package let base: FieldValue?
    package let live: FieldValue?
    /// Who wrote it since, when and why; of a change its author, and the author's reason.
    package let write: FieldWrite
    /// The change that wrote it, where one did.
    package let cause: ChangeID?

    package init(
        field: Field,
        base: FieldValue?,
        live: FieldValue?,
        write: FieldWrite,
        cause: ChangeID? = nil
    ) {
        (self.field, self.base, self.live) = (field, base, live)
        (self.write, self.cause) = (write, cause)
    }

    /// The same with the change that wrote it.
    package func caused(
        by change: ChangeID,
        of author: PrincipalID,
        because reason: Reason?
    ) -> FieldConflict {
        let write = FieldWrite(
            position: write.position,
            actor: author,
            recordedAt: write.recordedAt,
            reason: reason
        )
        return FieldConflict(field: field, base: base, live: live, write: write, cause: change)
    }
}

extension App {
    /// The conflicts of a change that had this before it when it was made.
    package func conflicts(of change: Change, since past: PastState) -> [FieldConflict] {
        laterWrites(under: change, effect(of: change.operations)).map { field, write in
            FieldConflict(
                field: field,
                base: past.document(field.platform)[field],
                live: document(field.platform)[field],
                write: write
            )
        }
    }

    /// What others wrote after the base of a change that has such an effect: of the fields that it
    /// would write, and of lists of offers that its edits do not fit any more.
    ///
    /// A field that holds again what it held then counts as unwritten.
    func laterWrites(
        under change: Change,
        _ effect: [FieldChange]
    ) -> [(field: Field, write: FieldWrite)] {
        let lists = platformsMissingPlaces(of: change.operations).map(Field.offers(of:))
        return Set(effect.map(\.field) + lists).sorted().compactMap { field in
            guard let write = lastWrite(of: field), write.position > change.base,
                !change.stands(field, as: document(field.platform)[field])
            else { return nil }
            return (field: field, write: write)
        }
    }
}

/// What becomes of a field that somebody wrote after the base of a change that is revised.
package enum ConflictChoice: String, CaseIterable, Sendable {
    /// What the change says.
    case mine
    /// What is live.
    case theirs
}

/// Edits as they were sent, and the fields that they are to leave as they are.
struct SparingOperations {
    let sent: [Operation]
    private let spared: Set<Field>

    init(_ sent: [Operation], sparing spared: Set<Field> = []) {
        (self.sent, self.spared) = (sent, spared)
    }

    /// Whether nothing is left of an edit.
    func spares(_ operation: Operation) -> Bool {
        operation.field.map(spared.contains) ?? false
    }

    /// The edits without what they would do to those fields.
    func kept(in app: App) -> [Operation] {
        guard !spared.isEmpty else { return sent }
        return sent.flatMap { operation -> [Operation] in
            if operation.field != nil { return spares(operation) ? [] : [operation] }
            guard spared.contains(where: { $0.place == operation.place }) else {
                return [operation]
            }
            let others = app.document(operation.platform).fields.filter {
                $0.place == operation.place && !spared.contains($0)
            }
            return others.compactMap(Operation.init(clearing:))
        }
    }
}

extension Operation {
    /// `nil` for what is no part of a threshold.
    fileprivate init?(clearing field: Field) {
        switch field.subject {
        case .offers, .legacy, .packages: return nil
        case .threshold(let name, .value): self.init(field.platform, name, .clearValue)
        case .threshold(let name, .text(let part, let language)):
            self.init(field.platform, name, .removeText(part, language))
        }
    }
}
