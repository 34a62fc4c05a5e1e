/// Takes back what one applied change wrote, and nothing that came after it.
///
/// It is a rollback of the change's own fields to what stood there before it. A field that others
/// wrote since is in conflict, unless it is to be kept; one that went back already is left alone.
package struct RevertChange: Command {
    package let app: AppSlug
    package let change: ChangeID
    /// What stood before the change, and after it, read from the log.
    package let before: PastState
    package let after: PastState
    /// The fields in which later work stays.
    package let keep: [Field]
    package let reason: Reason?
    package let by: PrincipalID

    package init(
        _ change: ChangeID,
        of app: AppSlug,
        before: PastState,
        after: PastState,
        keep: [Field] = [],
        reason: Reason?,
        by: PrincipalID
    ) {
        self.change = change
        self.app = app
        self.before = before
        self.after = after
        self.keep = keep
        self.reason = reason
        self.by = by
    }

    package func decide(in world: World, at now: Instant) throws(Refusal) -> Decision {
        try world.require(.responder, of: by, in: .app(app))
        let rollback = try rollback(in: world.existingApp(app))
        return try rollback.decide(in: world, at: now)
    }

    /// The documents as they would be.
    package func documents(in app: App) throws(Refusal) -> [Platform: Document] {
        try rollback(in: app).documents(in: app)
    }

    private func rollback(in app: App) throws(Refusal) -> RollBack {
        let fields = try reversal(in: app).fields
        guard !fields.isEmpty else { throw Refusal(.nothingChanges) }
        return RollBack(
            app: app.slug,
            fields: fields,
            request: .revert(change),
            past: before,
            reason: reason,
            by: by
        )
    }

    /// What goes back, with everything refused that has to be decided first.
    private func reversal(in app: App) throws(Refusal) -> Reversal {
        let reversal = Reversal(of: app, from: before, to: after)
        var objections: [Objection] = []
        for (index, field) in keep.enumerated() where !reversal.written.contains(field) {
            objections.append(.notWritten(field, change, at: Pointer("/keep").appending(index)))
        }
        let later = Set(keep)
        for field in reversal.conflicts where !later.contains(field) {
            objections.append(.overwritten(field, app.lastWrite(of: field), change))
        }
        let kept = reversal.keeping(later)
        if kept.fields.count > RollBack.fieldsMaximum {
            objections.append(.listTooLong(maximum: RollBack.fieldsMaximum, at: "/to"))
        }
        guard objections.isEmpty else { throw Refusal(objections) }
        return kept
    }
}

/// What taking one change back means, field by field: a merge of what stood before it, what it left
/// and what is live.
private struct Reversal {
    /// All that the change wrote.
    let written: Set<Field>
    /// Those that are as it left them: they go back.
    private(set) var fields: [Field]
    /// Those that hold something else by now, and not what stood before it either.
    let conflicts: [Field]

    init(of app: App, from before: PastState, to after: PastState) {
        let changes = app.settings.platforms.sorted().flatMap { platform in
            before.document(platform).changes(to: after.document(platform))
        }
        func live(_ field: Field) -> FieldValue? { app.document(field.platform)[field] }
        written = Set(changes.map(\.field))
        fields = changes.filter { live($0.field) == $0.after }.map(\.field)
        conflicts = changes.filter {
            live($0.field) != $0.after && live($0.field) != $0.before
        }.map(\.field)
    }

    /// The same without the fields in which what is live stays.
    func keeping(_ kept: Set<Field>) -> Reversal {
        var reversal = self
        reversal.fields.removeAll(where: kept.contains)
        return reversal
    }
}
